export { type Message, messagesIn } from './apply.ts';
export { type Anchor, Messages, type MessageSource } from './messages.ts';
export {
  channelIn,
  conversationIn,
  inConversation,
  type Narrow,
  narrowKey,
  type Term,
  toWireNarrow,
} from './narrow.ts';
export { MessageWindow } from './window.ts';
