export { Listener } from './listener.ts';
export { realmHostOf, realmUrlOf } from './host.ts';
export { sessionCookie } from './cookies.ts';
