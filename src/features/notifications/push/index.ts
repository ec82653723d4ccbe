// Notifications on phones and in browsers.
export { type Audience, removeJob, removeLater, showJob, showLater, showOlderJob, showOnWebJob } from './jobs.ts';
export type { Recipient } from './parcels.ts';
export { prunePushed, pruneRegularly } from './prune.ts';
export { devicesOf, takePushed, tokensOf } from './queries.ts';
export { openRoad, type Owned, type Road, sealedRoad, webRoad } from './again.ts';
export { pushedMessage } from './tables.ts';
export { removeFromWebJob } from './web.ts';
