import { asId, type UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import { compiled, compiledColumns, compiledRows, inParts, type RealmReadTx, sql, type SqlBool } from '#kernel/store';
import { LISTED, user, type UserRow } from '../tables.ts';
import type { ProfileData } from '../wire.ts';

/** All users and bots of the organization by ID, including deactivated ones and system bots. */
export const listUsers = compiledRows(user, ({ db, realmId }) =>
  db.selectFrom('user').selectAll().where('realm_id', '=', realmId).orderBy('id'),
);

/** The bots of an owner by ID, including deactivated ones. */
export const listBotsOf = compiledRows(user, ({ db, realmId }, ownerId: UserId) =>
  db.selectFrom('user').selectAll().where('realm_id', '=', realmId).where('bot_owner_id', '=', ownerId).orderBy('id'),
);

/** IDs of the bots of these owners, including deactivated ones. */
export async function listBotIdsOf(tx: RealmReadTx, owners: readonly UserId[]): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('bot_owner_id', owners))
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** `listUsers` without the columns that no list shows; in a large organization these take a third of the time. */
export const listAccounts = compiledColumns(LISTED, ({ db, realmId }) =>
  db.selectFrom('user').select(LISTED).where('realm_id', '=', realmId).orderBy('id'),
);

/** Lists up to `most` accounts after an ID, by ID, for jobs that look through all of them in small parts. */
export const listUsersAfter = compiledRows(user, ({ db, realmId }, id: number, most: number) =>
  db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('id', '>', asId<UserId>(id))
    .orderBy('id')
    .limit(most),
);

/** `listUsersAfter` for people only, and only whether they are active. */
export function listActivityAfter(
  tx: RealmReadTx,
  id: number,
  most: number,
): Promise<readonly Pick<UserRow, 'id' | 'is_active'>[]> {
  return tx.db
    .selectFrom('user')
    .select(['id', 'is_active'])
    .where('realm_id', '=', tx.realmId)
    .where('id', '>', asId<UserId>(id))
    .where('is_bot', '=', false)
    .where('is_system_bot', '=', false)
    .where('is_deleted', '=', false)
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Lists the users who have changed any personal setting, and the users with the given IDs, by ID. */
export function listUsersWithSettings(tx: RealmReadTx, ids: readonly UserId[]): Promise<readonly UserRow[]> {
  return tx.db
    .selectFrom('user')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where((is) => is.or([sql<SqlBool>`user_settings <> '{}'`, tx.dialect.anyOf('id', ids)]))
    .orderBy('id')
    .execute();
}

/** Active guests. */
export async function listGuestIds(tx: RealmReadTx): Promise<readonly UserId[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('is_active', '=', true)
    .where('role', '>=', Role.guest)
    .execute();
  return rows.map((row) => row.id);
}

/** People whose profile data is read at once, before others are served: each may have 100 values. */
const PROFILES_AT_ONCE = 250;

/** Profile data of people as clients see it. */
export async function listProfiles(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, ProfileData>> {
  const profiles = new Map<UserId, ProfileData>();
  await inParts(ids, PROFILES_AT_ONCE, async (some) => {
    for (const { user_id, field_id, field_value, rendered_value } of await valuesOf(tx, some)) {
      const entry = { value: field_value, ...(rendered_value !== null && { rendered_value }) };
      const known = profiles.get(user_id);
      if (known) known[field_id] = entry;
      else profiles.set(user_id, { [field_id]: entry });
    }
  });
  return profiles;
}

const valuesOf = compiled(({ db, realmId, dialect }, ids: readonly UserId[]) =>
  db
    .selectFrom('profile_value')
    .select(['user_id', 'field_id', 'field_value', 'rendered_value'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('user_id', ids)),
);
