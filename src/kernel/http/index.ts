export { Listener, type ListenerOptions } from './listener.ts';
export { realmHostOf, realmUrlOf, subdomainOf } from './host.ts';
export { sessionCookie, sessionCookieName } from './cookies.ts';
