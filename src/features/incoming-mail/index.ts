import { slice } from '#kernel/slice';
import { tellOfFailure } from './bounces.ts';
import { sweepReceived } from './sweep.ts';
import { receivedMail } from './tables.ts';

export const incomingMail = slice({
  name: 'incoming-mail',
  tables: [receivedMail],
  on: [tellOfFailure],
  background: sweepReceived,
});

export { receiverOf } from './receiver.ts';
