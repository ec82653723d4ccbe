export { guardedClient, operatorClient } from './client.ts';
export { connectToLog, type LogConnection } from './lines.ts';
export type { Network } from './network.ts';
export { closeOtherWays } from './no-other-way.ts';
export {
  type Outbound,
  OutboundFault,
  type OutboundReason,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.ts';
export { Http2Client, type PostReply } from './http2.ts';
