import type { Context } from '#kernel/context';
import { networkOf } from '#kernel/limits';
import { countDevices, countRealms, hasDevice } from './queries.ts';
import { Refused } from './reading.ts';
import type { GatewayDevice, GatewayServer, GatewayServerId } from './tables.ts';

/** A server that has authenticated, and the network that it did so from. */
export interface Caller extends GatewayServer {
  readonly network: string;
}

/** Most phones of a server: six of each of 50,000 people. */
const MAX_PHONES = 300_000;
/** Most organizations of a server, as many as one report may have. */
const MAX_REALMS = 5_000;
/** Phones after which those of a server are counted again, and milliseconds before that if there is no room. */
const COUNTED_AGAIN = 1_000;
const FULL_MS = 60_000;
/** Characters of a token that count as one phone; real ones have up to 250. */
const TOKEN_LENGTH = 500;

/** Servers' room for phones, so that they are not counted for each. */
interface Room {
  left: number;
  readonly fullUntil: number;
}
const rooms = new WeakMap<Context['store'], Map<GatewayServerId, Room>>();

/**
 * Throws if a server has as many phones as it may, or if too many new ones came from its network. See
 * docs/push-gateway.md, "Limits".
 */
export async function assertRoomForPhone(
  context: Context,
  { id, network }: Caller,
  device: Omit<GatewayDevice, 'id'>,
): Promise<void> {
  if (await context.store.query((tx) => hasDevice(tx, device))) return;
  const room = await roomOf(context, id);
  if (room.left <= 0) throw new Refused(400, 'TOO_MANY_PHONES', 'This server has as many phones as it may have');
  for (let length = 0; length < device.token.length; length += TOKEN_LENGTH)
    await context.limits.take('gateway-phone', network);
  room.left--;
}

async function roomOf({ store, clock }: Context, id: GatewayServerId): Promise<Room> {
  const known = rooms.get(store) ?? new Map<GatewayServerId, Room>();
  rooms.set(store, known);
  const last = known.get(id);
  if (last && (last.left > 0 || clock.monotonicMs() < last.fullUntil)) return last;
  const left = MAX_PHONES - (await store.query((tx) => countDevices(tx, id, MAX_PHONES)));
  const room = { left: Math.min(left, COUNTED_AGAIN), fullUntil: left > 0 ? 0 : clock.monotonicMs() + FULL_MS };
  known.set(id, room);
  return room;
}

/** Throws if a server would have more organizations than it may with these new ones. */
export async function assertRoomForRealms({ store }: Context, { id }: GatewayServer, added: number): Promise<void> {
  if (added === 0) return;
  const count = await store.query((tx) => countRealms(tx, id, MAX_REALMS));
  if (count + added > MAX_REALMS)
    throw new Refused(400, 'BAD_REQUEST', `A server may have at most ${MAX_REALMS} organizations`);
}

/** The server with the network that its request came from. */
export function callerOf(server: GatewayServer, address: string): Caller {
  return { ...server, network: networkOf(address) };
}
