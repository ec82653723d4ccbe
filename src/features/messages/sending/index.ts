// Sending: from a request to the recipients of the message.
export { type ChannelMail, channelMailIn } from './channel-address.ts';
export { sendEndpoints } from './endpoints.ts';
export { messageSent } from './events.ts';
export { isInteractive } from './clients.ts';
export { assertMayMention, channelMentions, directMentions, type Mentions } from './mentions.ts';
export { countHtml, countPeople, type Outgoing, prepareMessage } from './outgoing.ts';
export {
  addressOfMessage,
  channelLink,
  messageAddress,
  quoted,
  silentMention,
  topicLink,
  verbatim,
} from './phrases.ts';
export { maySend } from './posting.ts';
export { renderContent } from './render.ts';
export { SEND_ERRORS } from './send-errors.ts';
export { assertMaySend, type Destination, sendMessage, sendPrepared } from './send.ts';
export { forgetKeys } from './idempotency.ts';
export { type Notice, prepareSystemMessage, sendSystemMessage } from './system.ts';
export { assertMayPost } from './to-channel.ts';
