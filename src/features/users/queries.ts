import { invariant } from '#kernel/errors';
import { asId, type RealmId, type UserId } from '#kernel/ids';
import {
  compiled,
  compiledColumns,
  compiledRows,
  inChunks,
  kept,
  oncePerSnapshot,
  type ReadTx,
  sql,
  type SqlBool,
  type WriteTx,
} from '#kernel/store';
import { Role } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { LISTED, type ListedRow, user, type UserRow } from './tables.ts';
import type { ProfileData } from './wire.ts';

/** What must be known of a new account; the rest has defaults. */
export interface NewUser {
  readonly realm_id: RealmId;
  readonly email: string;
  readonly full_name: string;
  readonly role: number;
  readonly is_bot?: boolean;
  readonly bot_type?: number | null;
  readonly bot_owner_id?: UserId | null;
  readonly is_system_bot?: boolean;
  readonly timezone?: string;
  readonly avatar_source: UserRow['avatar_source'];
  readonly email_address_visibility?: number;
  readonly user_settings?: Readonly<Record<string, unknown>>;
}

export async function insertUser(tx: WriteTx, input: NewUser): Promise<UserRow> {
  return tx.db
    .insertInto('user')
    .values({
      realm_id: input.realm_id,
      email: input.email,
      email_key: foldCase(input.email),
      full_name: input.full_name,
      role: input.role,
      previous_role: input.role,
      role_event_id: 0,
      is_bot: input.is_bot ?? false,
      bot_type: input.bot_type ?? null,
      bot_owner_id: input.bot_owner_id ?? null,
      is_system_bot: input.is_system_bot ?? false,
      is_active: true,
      is_deleted: false,
      date_joined: tx.now,
      timezone: input.timezone ?? '',
      avatar_source: input.avatar_source,
      avatar_version: 1,
      email_address_visibility: input.email_address_visibility ?? 1,
      api_key_version: 1,
      may_manage_accounts: false,
      user_settings: JSON.stringify(input.user_settings ?? {}),
      last_active_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Most accounts that are kept for those who make requests. All who are there ping in turn: if one account fewer were kept
 * than there are people, each would be gone when it is asked for again.
 */
export const MAX_CALLERS = 20_000;

const userById = kept(
  ['user'],
  compiled((db, [realmId, id]: [RealmId, UserId]) =>
    db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where('id', '=', id),
  ),
  MAX_CALLERS,
);

export async function findUser(tx: ReadTx, realmId: RealmId, id: UserId): Promise<UserRow | undefined> {
  return (await userOnce(tx, `${realmId} ${id}`, () => userById(tx, realmId, id)))[0];
}

const userOnce = oncePerSnapshot<readonly UserRow[]>();

const usersById = kept(
  ['user'],
  compiledRows(user, (db, [realmId, ids]: [RealmId, readonly UserId[]], dialect) =>
    db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where(dialect.anyOf('id', ids)),
  ),
);

/** Real users and bots by ID, and system bots too; unknown IDs are missing from the map. */
export async function findUsers(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, UserRow>> {
  if (ids.length === 0) return new Map();
  const rows = await usersById(tx, realmId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

const userByEmail = kept(
  ['user'],
  compiled((db, [realmId, key]: [RealmId, string]) =>
    db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where('email_key', '=', key),
  ),
  MAX_CALLERS,
);

export async function findUserByEmail(tx: ReadTx, realmId: RealmId, email: string): Promise<UserRow | undefined> {
  return (await userByEmail(tx, realmId, foldCase(email)))[0];
}

/** By real address or by `user{ID}@{host}`, each ignoring case. Keys are folded addresses as asked for. */
export async function findUsersByEmail(
  tx: ReadTx,
  realmId: RealmId,
  emails: readonly string[],
  host: string,
): Promise<ReadonlyMap<string, UserRow>> {
  const keys = emails.map((email) => foldCase(email.trim()));
  const ids = new Map(
    keys.flatMap((key) => [[idOfMadeUpAddress(key, host), key] as const]).filter(([id]) => id !== undefined),
  );
  const rows = await tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(tx.dialect.anyOfText('email_key', keys))
    .execute();
  const found = new Map(rows.map((row) => [row.email_key, row]));
  const byId = await findUsers(
    tx,
    realmId,
    [...ids.keys()].flatMap((id) => id ?? []),
  );
  for (const row of byId.values()) {
    const key = ids.get(row.id);
    if (key !== undefined && !found.has(key)) found.set(key, row);
  }
  return found;
}

/** The ID in `user{ID}@{host}`. */
export function idOfMadeUpAddress(email: string, host: string): UserId | undefined {
  const digits = /^user(\d{1,10})@(.+)$/.exec(email);
  if (!digits || digits[2] !== foldCase(host)) return undefined;
  return asId<UserId>(Number(digits[1]));
}

/** What people have filled in of the organization's profile fields, as clients see it; of some people only when `ids` is given. */
export async function listProfiles(
  tx: ReadTx,
  realmId: RealmId,
  ids?: readonly UserId[],
): Promise<ReadonlyMap<UserId, ProfileData>> {
  const rows = await (ids ? valuesOf(tx, realmId, ids) : allValues(tx, realmId));
  const profiles = new Map<UserId, ProfileData>();
  for (const { user_id, field_id, field_value, rendered_value } of rows) {
    const entry = { value: field_value, ...(rendered_value !== null && { rendered_value }) };
    const known = profiles.get(user_id);
    if (known) known[field_id] = entry;
    else profiles.set(user_id, { [field_id]: entry });
  }
  return profiles;
}

const allValues = compiled((db, [realmId]: [RealmId]) =>
  db
    .selectFrom('profile_value')
    .select(['user_id', 'field_id', 'field_value', 'rendered_value'])
    .where('realm_id', '=', realmId),
);

const valuesOf = compiled((db, [realmId, ids]: [RealmId, readonly UserId[]], dialect) =>
  db
    .selectFrom('profile_value')
    .select(['user_id', 'field_id', 'field_value', 'rendered_value'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('user_id', ids)),
);

/** A guest, and somebody whom the guest knows. */
interface Acquaintance {
  readonly guest_id: UserId;
  readonly user_id: UserId;
}

/** People with whom guests share a channel, and are active there, or a direct conversation; repeats are possible. */
export async function listAcquaintances(
  tx: ReadTx,
  realmId: RealmId,
  guestIds: readonly UserId[],
): Promise<readonly Acquaintance[]> {
  const inChannels = await tx.db
    .selectFrom('subscription as own')
    .innerJoin('subscription as other', 'other.channel_id', 'own.channel_id')
    .innerJoin('user', 'user.id', 'other.user_id')
    .select(['own.user_id as guest_id', 'other.user_id'])
    .distinct()
    .where('own.realm_id', '=', realmId)
    .where(tx.dialect.anyOf('own.user_id', guestIds))
    .where('own.is_subscribed', '=', true)
    .where('other.is_subscribed', '=', true)
    .where('user.is_active', '=', true)
    .execute();
  const inConversations = await tx.db
    .selectFrom('direct_participant as own')
    .innerJoin('direct_participant as other', 'other.recipient_id', 'own.recipient_id')
    .select(['own.user_id as guest_id', 'other.user_id'])
    .distinct()
    .where('own.realm_id', '=', realmId)
    .where(tx.dialect.anyOf('own.user_id', guestIds))
    .execute();
  return [...inChannels, ...inConversations];
}

/** Any active person: a member where there is one, else somebody with more rights. */
export function findAnyMember(tx: ReadTx, realmId: RealmId): Promise<UserRow | undefined> {
  return tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where('role', '<=', Role.member)
    .orderBy('role', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** IDs of all bots, whom everybody knows. */
export async function listBotIds(tx: ReadTx, realmId: RealmId): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('is_bot', '=', true)
    .execute();
  return rows.map((row) => row.id);
}

/** Active guests. */
export async function listGuestIds(tx: ReadTx, realmId: RealmId): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('is_active', '=', true)
    .where('role', '>=', Role.guest)
    .execute();
  return rows.map((row) => row.id);
}

/** All users and bots of the organization, deactivated ones and system bots included, by ID. */
export function listUsers(tx: ReadTx, realmId: RealmId): Promise<readonly UserRow[]> {
  return allUsers(tx, realmId);
}

const allUsers = compiledRows(user, (db, [realmId]: [RealmId]) =>
  db.selectFrom('user').selectAll().where('realm_id', '=', realmId).orderBy('id'),
);

/** The same without what no list shows; of a large organization all the rest is a third of the reading. */
export function listAccounts(tx: ReadTx, realmId: RealmId): Promise<readonly ListedRow[]> {
  return allAccounts(tx, realmId);
}

const allAccounts = compiledColumns(LISTED, (db, [realmId]: [RealmId]) =>
  db.selectFrom('user').select(LISTED).where('realm_id', '=', realmId).orderBy('id'),
);

/** Those who have changed any personal setting, and those of the IDs, by ID. */
export function listUsersWithSettings(
  tx: ReadTx,
  realmId: RealmId,
  ids: readonly UserId[],
): Promise<readonly UserRow[]> {
  return tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where((is) => is.or([sql<SqlBool>`user_settings <> '{}'`, tx.dialect.anyOf('id', ids)]))
    .orderBy('id')
    .execute();
}

export function findSystemBot(tx: ReadTx, realmId: RealmId, fullName: string): Promise<UserRow | undefined> {
  return tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('is_system_bot', '=', true)
    .where('full_name', '=', fullName)
    .executeTakeFirst();
}

/** The row of an account that is known to exist, locked until the commit. */
export async function lockUser(tx: WriteTx, realmId: RealmId, id: UserId): Promise<UserRow> {
  await sql`select id from "user" where realm_id = ${realmId} and id = ${id} ${tx.dialect.forUpdate}`.execute(tx.db);
  const row = await findUser(tx, realmId, id);
  invariant(row, 'a known account is gone');
  return row;
}

/** The rows of accounts, locked until the commit; unknown IDs are missing from the map. */
export async function lockUsers(
  tx: WriteTx,
  realmId: RealmId,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, UserRow>> {
  // In order of ID, so that two who lock the same people wait for each other in a row.
  await sql`
    select id from "user" where realm_id = ${realmId} and ${tx.dialect.anyOf('id', ids)} order by id
    ${tx.dialect.forUpdate}
  `.execute(tx.db);
  return findUsers(tx, realmId, ids);
}

/** Users whose settings are stored by one statement. */
const SETTINGS_CHUNK = 500;

/** Stores what differs from the defaults in the personal settings of each of many users. */
export async function setSettingsOfUsers(
  tx: WriteTx,
  realmId: RealmId,
  rows: readonly Pick<UserRow, 'id' | 'user_settings'>[],
): Promise<void> {
  for (const chunk of inChunks(rows, SETTINGS_CHUNK)) {
    const cases = chunk.map((row) => sql`when ${row.id} then ${JSON.stringify(row.user_settings)}`);
    const chosen = tx.dialect.anyOf(
      'id',
      chunk.map(({ id }) => id),
    );
    await sql`
      update "user" set user_settings = case id ${sql.join(cases, sql` `)} end
      where realm_id = ${realmId} and ${chosen}
    `.execute(tx.db);
  }
}

/** Stores the personal settings that differ from their defaults. */
export async function setUserSettings(
  tx: WriteTx,
  realmId: RealmId,
  id: UserId,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.db
    .updateTable('user')
    .set({ user_settings: JSON.stringify(settings) })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute();
}

/** Changes columns of one user. */
export async function setUser(
  tx: WriteTx,
  realmId: RealmId,
  id: UserId,
  values: Partial<Omit<UserRow, 'id' | 'realm_id' | 'user_settings'>>,
): Promise<void> {
  await tx.db.updateTable('user').set(values).where('realm_id', '=', realmId).where('id', '=', id).execute();
}
