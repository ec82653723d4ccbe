import { slice } from '#kernel/slice';
import { messageEditEndpoints } from './endpoints.ts';
import { messageEditEvents } from './events.ts';

export const messageEdits = slice({
  name: 'message-edits',
  reads: ['user_topic'],
  endpoints: messageEditEndpoints,
  events: messageEditEvents,
});

export { deleteMessages } from './delete.ts';
export { readersAmong } from './recipients.ts';
export { replaceRendering } from './content.ts';
export { isHistoryFull } from './rules.ts';
export { contentEdited, messagesErased, topicMoved } from './signals.ts';
