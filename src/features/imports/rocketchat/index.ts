// Archives of Rocket.Chat, read as a community.
export { rocketChatSource } from './source.ts';
