import { setUser } from '#features/users';
import type { Client } from '../support/client.ts';
import type { World } from '../support/world.ts';

/** Kinds of callers, each a row of the grids. Nobody is subscribed unless the name says so. */
export const CALLERS = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'newcomer',
  'guest',
  'channel administrator',
  'may subscribe',
  'may add',
  'may remove',
  'subscriber',
  'subscribed guest',
  'bot',
  'spectator',
  'deactivated',
] as const;
export type Caller = (typeof CALLERS)[number];

/** Everybody who acts, and those things are done to or by in the background. */
export interface People {
  readonly callers: ReadonlyMap<Caller, Client>;
  /** Owner, subscribed everywhere: makes the channels and puts right what a caller changed. */
  readonly keeper: Client;
  /** Subscribed nowhere: callers subscribe this person. */
  readonly outsider: Client;
  /** Subscribed everywhere: callers unsubscribe this person. */
  readonly insider: Client;
}

const DAY_MS = 86_400_000;
/** Days until an account is a full member. */
export const WAITING_DAYS = 10;

const ROLES = { owner: 100, administrator: 200, moderator: 300, guest: 600, 'subscribed guest': 600 } as const;

/** Makes the people of the matrix; only the newcomer is young. */
export async function makePeople(world: World): Promise<People> {
  const callers = new Map<Caller, Client>();
  const roles = new Map<string, number>(Object.entries(ROLES));
  for (const name of CALLERS)
    if (!['newcomer', 'bot', 'spectator'].includes(name))
      callers.set(name, await world.user({ full_name: name, role: roles.get(name) ?? 400 }));
  const owner = callers.get('member')?.userId;
  callers.set('bot', await world.user({ full_name: 'bot', is_bot: true, bot_type: 1, bot_owner_id: owner as never }));
  callers.set('spectator', world.spectator);
  const [keeper, outsider, insider] = [await world.user({ role: 100 }), await world.user(), await world.user()];
  world.clock.advance((WAITING_DAYS + 1) * DAY_MS);
  callers.set('newcomer', await world.user({ full_name: 'newcomer' }));
  const { server, realm } = world;
  const gone = callers.get('deactivated')?.userId;
  await server.context.store.in(realm).write((tx) => setUser(tx, gone as never, { is_active: false }));
  return { callers, keeper, outsider, insider };
}
