import { slice } from '#kernel/slice';
import { directParticipant, recipient } from './tables.ts';

export const recipients = slice({ name: 'recipients', tables: [recipient, directParticipant] });

export {
  ensureDirectRecipient,
  findDirectRecipient,
  insertChannelRecipient,
  participantsOf,
  setRecipientChannel,
} from './queries.ts';
