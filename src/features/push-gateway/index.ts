import { slice } from '#kernel/slice';
import { gatewayDevice, gatewayRealm, gatewayServer } from './tables.ts';

/** The tables of a gateway; its pages are served by `roost push-gateway` alone. */
export const pushGatewaySlice = slice({ name: 'push-gateway', tables: [gatewayServer, gatewayRealm, gatewayDevice] });

export { gatewayKeys, type GatewayOptions, gatewayPages } from './pages.ts';
export { listServers } from './queries.ts';
export { apnsSender, fcmSender, parseServiceAccount, type Senders } from './senders.ts';
