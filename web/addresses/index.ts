export { conversationHash, hashOf, type Names, type Route, routeOf } from './routes.ts';
