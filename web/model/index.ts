export type { Channel } from './channels.ts';
export type { AnyEvent } from './facts.ts';
export { type Conversation, type ConversationKey, conversationOf, directWith, keyOf, othersIn } from './keys.ts';
export { Model } from './model.ts';
export type { Person } from './people.ts';
export type { Presence } from './presence.ts';
export type { RegisterState } from './register.ts';
export { mayIn } from './rights.ts';
export { Policy } from './topics.ts';
