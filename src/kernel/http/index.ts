export { sessionCookie } from './cookies.ts';
export { Listener } from './listener.ts';
export { tryListen } from './try-listen.ts';
