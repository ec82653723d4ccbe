export { isSlowBody } from './body.ts';
export { Listener } from './listener.ts';
export { realmHostOf, realmUrlOf } from './host.ts';
export { sessionCookie } from './cookies.ts';
export { tryListen } from './try-listen.ts';
