// Who has read a message.
export { getReadReceipts } from './endpoints.ts';
