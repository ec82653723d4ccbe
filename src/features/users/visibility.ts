import type { RealmRef, RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { isGuest } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { realmUserAdded, realmUserRemoved } from './events.ts';
import { UNKNOWN_NAME } from './hidden.ts';
import { listAcquaintances } from './acquaintances/queries.ts';
import { listProfiles } from './lists/queries.ts';
import { findUsers } from './queries.ts';
import type { UserRow } from './tables.ts';
import { toWireUser } from './to-wire.ts';

/** The people whom each of some guests may know of. See protocol/events#audiences, SEES. */
export type Visibility = ReadonlyMap<UserId, ReadonlySet<UserId>>;

/** The guests among people if the organization restricts guests, else nobody. */
export function guestsAmong(realm: RealmRef, people: readonly Pick<UserRow, 'id' | 'role'>[]): readonly UserId[] {
  return realm.restrictsGuests ? people.filter(isGuest).map((person) => person.id) : [];
}

/** Whether a viewer may know of somebody; everybody knows bots. */
export function knows(
  visibility: Visibility,
  viewerId: UserId,
  { id, is_bot }: Pick<UserRow, 'id' | 'is_bot'>,
): boolean {
  return is_bot || id === viewerId || visibility.get(viewerId)?.has(id) !== false;
}

/**
 * Reads whom guests may know of before a change; hand the result to `announceVisibility` after it. Without guests it
 * needs no query.
 */
export async function readVisibility(tx: RealmRefReadTx, guestIds: readonly UserId[]): Promise<Visibility> {
  if (!tx.realm.restrictsGuests || guestIds.length === 0) return new Map();
  const visibility = new Map(guestIds.map((id) => [id, new Set<UserId>()]));
  for (const { guest_id, user_id } of await listAcquaintances(tx, guestIds)) visibility.get(guest_id)?.add(user_id);
  return visibility;
}

/**
 * Sends events to guests about people whom a change made visible to them or hid from them. Returns whom they may know
 * of now.
 */
export async function announceVisibility(tx: RealmRefWriteTx, before: Visibility): Promise<Visibility> {
  if (before.size === 0) return before;
  const after = await readVisibility(tx, [...before.keys()]);
  const gained = differences(after, before);
  const lost = differences(before, after);
  const concerned = [...new Set([...gained, ...lost].map(({ user_id }) => user_id))];
  const rows = await findUsers(tx, concerned);
  const people = new Map([...rows].filter(([, row]) => !row.is_bot));
  const profiles = await listProfiles(tx, [...people.keys()]);
  for (const [user, guests] of byUser(gained)) {
    const row = people.get(user);
    if (row) show(tx, row, guests, profiles.get(user));
  }
  for (const [user_id, users] of byUser(lost)) {
    if (!people.has(user_id)) continue;
    const person = { user_id, full_name: UNKNOWN_NAME };
    tx.emit(realmUserRemoved({ person }, { audience: { users }, viewers: users }));
  }
  return after;
}

function show(
  tx: RealmWriteTx,
  row: UserRow,
  users: readonly UserId[],
  profile: Parameters<typeof realmUserAdded>[0]['profile'],
): void {
  const person = toWireUser(row, '', { role: row.role, userId: row.id, clientGravatar: false });
  const { email_address_visibility } = row;
  const payload = { person: { ...person, email: row.email }, email_address_visibility, ...(profile && { profile }) };
  tx.emit(realmUserAdded(payload, { audience: { users }, viewers: users }));
}

interface Pair {
  readonly guest_id: UserId;
  readonly user_id: UserId;
}

/** The pairs of `some` that `others` does not have. */
function differences(some: Visibility, others: Visibility): readonly Pair[] {
  return [...some].flatMap(([guest_id, known]) =>
    [...known]
      .filter((user_id) => user_id !== guest_id && !others.get(guest_id)?.has(user_id))
      .map((user_id) => ({ guest_id, user_id })),
  );
}

function byUser(pairs: readonly Pair[]): ReadonlyMap<UserId, readonly UserId[]> {
  return grouped(pairs.map((pair) => [pair.user_id, pair.guest_id]));
}
