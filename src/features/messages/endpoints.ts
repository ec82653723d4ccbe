import { fetchEndpoints } from './finding/index.ts';
import { flagEndpoints } from './flags/index.ts';
import { reactionEndpoints } from './reactions/index.ts';
import { getReadReceipts } from './receipts/index.ts';
import { sendEndpoints } from './sending/index.ts';
import { addSubmessageEndpoint } from './submessages/index.ts';

export const messageEndpoints = [
  ...sendEndpoints,
  ...fetchEndpoints,
  ...flagEndpoints,
  getReadReceipts,
  ...reactionEndpoints,
  addSubmessageEndpoint,
];
