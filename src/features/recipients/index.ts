import { slice } from '#kernel/slice';
import { directParticipant, recipient } from './tables.ts';

export const recipients = slice({ name: 'recipients', tables: [recipient, directParticipant] });

export {
  ensureDirectRecipient,
  findDirectRecipient,
  insertChannelRecipients,
  participantsOf,
  setRecipientChannels,
} from './queries.ts';
