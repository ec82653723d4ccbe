import { record } from '#kernel/audit';
import { invariant } from '#kernel/errors';
import type { RealmId, UserId } from '#kernel/ids';
import { inChunks, type RealmWriteTx, sql } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { findUser, findUsers } from '../queries.ts';
import type { UserRow } from '../tables.ts';

/** Required columns of a new account; the others have defaults. */
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

export async function insertUser(tx: RealmWriteTx, input: NewUser): Promise<UserRow> {
  const user = await tx.db
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
      avatar_file: null,
      email_address_visibility: input.email_address_visibility ?? 1,
      api_key_version: 1,
      may_manage_accounts: false,
      user_settings: JSON.stringify(input.user_settings ?? {}),
      last_active_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { id, email, full_name, role, is_bot, bot_owner_id } = user;
  const after = { email, full_name, role, is_bot, bot_owner_id };
  record(tx, { action: 'user.added', target: { kind: 'user', id, name: full_name }, after });
  return user;
}

/** Returns the row of an account that must exist, locked until the commit. */
export async function lockUser(tx: RealmWriteTx, id: UserId): Promise<UserRow> {
  await sql`select id from "user" where realm_id = ${tx.realmId} and id = ${id} ${tx.dialect.forUpdate}`.execute(tx.db);
  const row = await findUser(tx, id);
  invariant(row, 'a known account is gone');
  return row;
}

/** Returns the rows of accounts, locked until the commit; unknown IDs are missing from the map. */
export async function lockUsers(tx: RealmWriteTx, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, UserRow>> {
  // Locked in order of ID, so that two transactions that lock the same people cannot deadlock.
  await sql`
    select id from "user" where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)} order by id
    ${tx.dialect.forUpdate}
  `.execute(tx.db);
  return findUsers(tx, ids);
}

/** Changes columns of one user. */
export async function setUser(
  tx: RealmWriteTx,
  id: UserId,
  values: Partial<Omit<UserRow, 'id' | 'realm_id' | 'user_settings'>>,
): Promise<void> {
  await tx.db.updateTable('user').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
  const { may_manage_accounts: after } = values;
  const act = { action: 'user.may_manage_accounts', target: { kind: 'user', id }, after };
  if (after !== undefined) record(tx, act);
}

/** Stores the personal settings that differ from their defaults. */
export async function setUserSettings(
  tx: RealmWriteTx,
  id: UserId,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.db
    .updateTable('user')
    .set({ user_settings: JSON.stringify(settings) })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Most users whose settings one statement stores. */
const SETTINGS_CHUNK = 500;

/** Stores the personal settings that differ from their defaults, for many users. */
export async function setSettingsOfUsers(
  tx: RealmWriteTx,
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
      where realm_id = ${tx.realmId} and ${chosen}
    `.execute(tx.db);
  }
}
