import { asId, type UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import {
  cachedQuery,
  compiled,
  compiledRows,
  firstOf,
  inChunks,
  oncePerSnapshot,
  type RealmReadTx,
  sql,
} from '#kernel/store';
import { foldCase } from '#kernel/text';
import { type UserRow, user } from './tables.ts';

const accounts = (tx: RealmReadTx) => tx.db.selectFrom('user').selectAll().where('realm_id', '=', tx.realmId);

/**
 * Most cached accounts of callers. All clients ping in turn: with one entry too few, each entry would be evicted before
 * it is used again.
 */
export const MAX_CALLERS = 20_000;

const userById = cachedQuery(
  ['user'],
  firstOf(
    compiled(({ db, realmId }, id: UserId) =>
      db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where('id', '=', id),
    ),
  ),
  { most: MAX_CALLERS },
);

export function findUser(tx: RealmReadTx, id: UserId): Promise<UserRow | undefined> {
  return userOnce(tx, `${tx.realmId} ${id}`, () => userById(tx, id));
}

const userOnce = oncePerSnapshot<UserRow | undefined>();

/** Lists the key versions of all accounts of an organization. */
export const listKeyVersions: (tx: RealmReadTx) => Promise<readonly Pick<UserRow, 'id' | 'api_key_version'>[]> =
  cachedQuery(
    ['user'],
    compiled(({ db, realmId }) =>
      db.selectFrom('user').select(['id', 'api_key_version']).where('realm_id', '=', realmId),
    ),
  );

const rowsById = compiledRows(user, ({ db, realmId, dialect }, ids: readonly UserId[]) =>
  db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where(dialect.anyOf('id', ids)),
);

/** Accounts that one statement reads: ten thousand at once would block other requests. */
const AT_ONCE = 1000;

const usersById = cachedQuery(
  ['user'],
  async (tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserRow>> => {
    const users = new Map<UserId, UserRow>();
    for (const some of inChunks(ids, AT_ONCE)) for (const row of await rowsById(tx, some)) users.set(row.id, row);
    return users;
  },
);

/** Finds users, bots and system bots by ID; unknown IDs are missing from the map. */
export async function findUsers(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserRow>> {
  return ids.length === 0 ? new Map() : usersById(tx, ids);
}

const userByEmail = cachedQuery(
  ['user'],
  firstOf(
    compiled(({ db, realmId }, key: string) =>
      db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where('email_key', '=', key),
    ),
  ),
  { most: MAX_CALLERS },
);

export function findUserByEmail(tx: RealmReadTx, email: string): Promise<UserRow | undefined> {
  return userByEmail(tx, foldCase(email));
}

/** Finds users by real address or by `user{ID}@{host}`, ignoring case. Keys are the given addresses, case-folded. */
export async function findUsersByEmail(
  tx: RealmReadTx,
  emails: readonly string[],
  host: string,
): Promise<ReadonlyMap<string, UserRow>> {
  const keys = emails.map((email) => foldCase(email.trim()));
  const ids = new Map(
    keys.flatMap((key) => [[idOfMadeUpAddress(key, host), key] as const]).filter(([id]) => id !== undefined),
  );
  const rows = await accounts(tx).where(tx.dialect.anyOfText('email_key', keys)).execute();
  const found = new Map(rows.map((row) => [row.email_key, row]));
  const byId = await findUsers(
    tx,
    [...ids.keys()].flatMap((id) => id ?? []),
  );
  for (const row of byId.values()) {
    const key = ids.get(row.id);
    if (key !== undefined && !found.has(key)) found.set(key, row);
  }
  return found;
}

/** Parses the ID of `user{ID}@{host}`. */
export function idOfMadeUpAddress(email: string, host: string): UserId | undefined {
  const digits = /^user(\d{1,10})@(.+)$/.exec(email);
  if (!digits || digits[2] !== foldCase(host)) return undefined;
  return asId<UserId>(Number(digits[1]));
}

/** Finds the active person with this name or local part of the address; undefined if there is none, or more than one. */
export async function findPersonCalled(tx: RealmReadTx, name: string): Promise<UserRow | undefined> {
  const key = `${foldCase(name)}@`;
  const rows = await accounts(tx)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where((eb) => eb.or([eb('full_name', '=', name), eb(sql`substr(email_key, 1, ${[...key].length})`, '=', key)]))
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0] : undefined;
}

/** Finds any active person: a member if there is one, else somebody with more rights. */
export function findAnyMember(tx: RealmReadTx): Promise<UserRow | undefined> {
  return accounts(tx)
    .where('is_active', '=', true)
    .where('is_bot', '=', false)
    .where('role', '<=', Role.member)
    .orderBy('role', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export function findSystemBot(tx: RealmReadTx, fullName: string): Promise<UserRow | undefined> {
  return accounts(tx).where('is_system_bot', '=', true).where('full_name', '=', fullName).executeTakeFirst();
}
