import { flagEvents } from './flags/index.ts';
import { reactionEvents } from './reactions/index.ts';
import { messageSent } from './sending/index.ts';
import { submessageAdded } from './submessages/index.ts';

export const messageEvents = [messageSent, ...flagEvents, ...reactionEvents, submessageAdded];
