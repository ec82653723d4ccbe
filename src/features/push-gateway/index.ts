import { slice } from '#kernel/slice';
import { gatewayDevice, gatewayRealm, gatewayServer } from './tables.ts';

/** The tables of a gateway; only `roost push-gateway` serves its pages. */
export const pushGatewaySlice = slice({ name: 'push-gateway', tables: [gatewayServer, gatewayRealm, gatewayDevice] });

export { gatewayKeys, type GatewayOptions, gatewayPages } from './pages.ts';
export { listServers } from './queries.ts';
export { apnsSender, fcmSender, parseServiceAccount, type Senders } from './senders.ts';
