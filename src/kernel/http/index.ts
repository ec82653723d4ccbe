export { sessionCookie } from './cookies.ts';
export { realmHostOf, realmUrlOf } from './host.ts';
export { Listener } from './listener.ts';
export { tryListen } from './try-listen.ts';
