export { type Message, messagesIn } from './apply.ts';
export { type Anchor, Messages } from './messages.ts';
export {
  channelIn,
  conversationIn,
  inConversation,
  type Narrow,
  narrowKey,
  type Term,
  toWireNarrow,
} from './narrow.ts';
export type { MessageSource } from './source.ts';
export { MessageWindow } from './window.ts';
