import type { RealmRefReadTx } from '#kernel/auth';
import type { Hidden } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { isGuest, Role } from '#kernel/permissions';
import { listAcquaintances, listBotIds } from './acquaintances/queries.ts';
import type { UserRow } from './tables.ts';
import type { WireUser } from './wire.ts';

/** Whether there may be accounts that this account may not know of. */
export function mayNotKnowAll(
  { restrictsGuests }: { readonly restrictsGuests: boolean },
  account: Pick<UserRow, 'role'>,
): boolean {
  return restrictsGuests && isGuest(account);
}

/**
 * The accounts that an account may not know of: if the organization restricts guests, people with whom a guest shares
 * no channel and no direct conversation. Undefined for almost everybody. See protocol/events#audiences, SEES.
 */
export async function hiddenFrom(
  tx: RealmRefReadTx,
  account: Pick<UserRow, 'id' | 'role'>,
  host: string,
): Promise<Hidden | undefined> {
  return (await hiddenFromEach(tx, [account], host)).get(account.id);
}

/**
 * `hiddenFrom` for many accounts, in the same number of queries. Accounts that may know of everybody are missing from
 * the map.
 */
export async function hiddenFromEach(
  tx: RealmRefReadTx,
  accounts: readonly Pick<UserRow, 'id' | 'role'>[],
  host: string,
): Promise<ReadonlyMap<UserId, Hidden>> {
  const guests = accounts.filter((account) => mayNotKnowAll(tx.realm, account)).map(({ id }) => id);
  if (guests.length === 0) return new Map();
  const bots = await listBotIds(tx);
  const known = new Map(guests.map((id) => [id, new Set<number>([id, ...bots])]));
  for (const { guest_id, user_id } of await listAcquaintances(tx, guests)) known.get(guest_id)?.add(user_id);
  return new Map([...known].map(([id, people]) => [id, { has: (other: number) => !people.has(other), host }]));
}

/** Name and picture that a guest sees for somebody they may not know of. See protocol/register#people. */
export const UNKNOWN_NAME = 'Unknown user';
export const UNKNOWN_AVATAR = '/user_avatars/unknown.png';

/** The address that is shown instead of an account's real one. */
export function madeUpEmail(id: UserId, host: string): string {
  return `user${id}@${host}`;
}

/** The wire form of an account that the viewer may not know of. See protocol/users#visibility. */
export function toInaccessibleUser(id: UserId, host: string): WireUser {
  return {
    user_id: id,
    email: madeUpEmail(id, host),
    delivery_email: null,
    full_name: UNKNOWN_NAME,
    date_joined: '1970-01-01T00:00+00:00',
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: Role.member,
    timezone: '',
    avatar_url: UNKNOWN_AVATAR,
    avatar_version: 1,
    is_imported_stub: false,
  };
}
