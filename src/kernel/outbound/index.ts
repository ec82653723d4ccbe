export { type GuardedOptions, guardedClient, type OutboundOptions, operatorClient } from './client.ts';
export type { Network } from './network.ts';
export {
  type Outbound,
  OutboundFault,
  type OutboundReason,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.ts';
