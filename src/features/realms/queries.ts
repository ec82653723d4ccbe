import { invariant } from '#kernel/errors';
import type { GroupId, RealmId } from '#kernel/ids';
import type { SystemGroupName } from '#kernel/permissions';
import {
  cachedQuery,
  compiled,
  firstOf,
  oncePerSnapshot,
  type ReadTx,
  type RealmReadTx,
  type RealmWriteTx,
  sql,
  type WriteTx,
  compiledServerWide,
} from '#kernel/store';
import type { RealmGroupSettingName } from './group-settings.ts';
import type { RealmSettings } from './settings.ts';
import type { RealmIdentity, RealmRow } from './tables.ts';

/** The part of an organization's row that every request needs. */
export const findRealmBySubdomain: (tx: ReadTx, subdomain: string) => Promise<RealmIdentity | undefined> = cachedQuery(
  ['realm'],
  firstOf(
    compiledServerWide(({ db }, subdomain: string) =>
      db
        .selectFrom('realm')
        .select([
          'id',
          'string_id',
          'name',
          'is_deactivated',
          'settings',
          'system_groups',
          'can_access_all_users_group',
        ])
        .where('string_id', '=', subdomain),
    ),
  ),
);

const formerRealm = cachedQuery(
  ['realm', 'former_subdomain'],
  compiledServerWide(({ db }, subdomain: string) =>
    db
      .selectFrom('former_subdomain')
      .innerJoin('realm', 'realm.id', 'former_subdomain.realm_id')
      .select([
        'realm.id',
        'string_id',
        'name',
        'is_deactivated',
        'settings',
        'system_groups',
        'can_access_all_users_group',
      ])
      .where('subdomain', '=', subdomain),
  ),
);

/** Finds the organization that had this subdomain most recently and has another one now. */
export async function findMovedRealm(tx: ReadTx, subdomain: string): Promise<RealmIdentity | undefined> {
  return (await formerRealm(tx, subdomain))[0];
}

/** Returns the organization of an ID that must exist. */
export async function readRealm(tx: RealmReadTx): Promise<RealmRow> {
  const [row] = await realmOnce(tx, `${tx.realmId}`, () => realmById(tx));
  invariant(row, 'a known organization is gone');
  return row;
}

const realmOnce = oncePerSnapshot<readonly RealmRow[]>();

const realmById = cachedQuery(
  ['realm'],
  compiled(({ db, realmId }) => db.selectFrom('realm').selectAll().where('id', '=', realmId)),
);

export function listRealms(tx: ReadTx): Promise<readonly RealmRow[]> {
  return tx.db.selectFrom('realm').selectAll().orderBy('id').execute();
}

/** Stores an organization whose permissions all refer to `placeholder` until its groups exist. */
export async function insertRealm(
  tx: WriteTx,
  row: { string_id: string; name: string; uuid: string; settings: Partial<RealmSettings> },
  groups: Readonly<Record<RealmGroupSettingName, GroupId>>,
): Promise<RealmId> {
  const { id } = await tx.db
    .insertInto('realm')
    .values({
      ...row,
      ...groups,
      settings: JSON.stringify(row.settings),
      system_groups: '{}',
      date_created: tx.now,
      is_deactivated: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the IDs of the system groups, once, when the organization is created. */
export async function setSystemGroups(
  tx: RealmWriteTx,
  groups: Readonly<Record<SystemGroupName, GroupId>>,
): Promise<void> {
  await tx.db
    .updateTable('realm')
    .set({ system_groups: JSON.stringify(groups) })
    .where('id', '=', tx.realmId)
    .execute();
}

export async function setRealmGroups(
  tx: RealmWriteTx,
  groups: Partial<Readonly<Record<RealmGroupSettingName, GroupId>>>,
): Promise<void> {
  await tx.db.updateTable('realm').set(groups).where('id', '=', tx.realmId).execute();
}

/** Stores the settings that differ from their defaults. */
export async function setRealmSettings(tx: RealmWriteTx, settings: Partial<RealmSettings>): Promise<void> {
  await tx.db
    .updateTable('realm')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', tx.realmId)
    .execute();
}

export async function setRealmName(tx: RealmWriteTx, name: string): Promise<void> {
  await tx.db.updateTable('realm').set({ name }).where('id', '=', tx.realmId).execute();
}

/** Deactivates or reactivates an organization. */
export async function setRealmDeactivated(tx: RealmWriteTx, is_deactivated: boolean): Promise<void> {
  await tx.db.updateTable('realm').set({ is_deactivated }).where('id', '=', tx.realmId).execute();
}

export async function setRealmSubdomain(tx: RealmWriteTx, string_id: string): Promise<void> {
  await tx.db.updateTable('realm').set({ string_id }).where('id', '=', tx.realmId).execute();
}

/**
 * Records that a subdomain which an organization leaves leads to it, and deletes such a record of the subdomain that it
 * takes.
 */
export async function upsertFormerSubdomain(tx: RealmWriteTx, left: string, taken: string): Promise<void> {
  await tx.db.deleteFrom('former_subdomain').where('subdomain', '=', taken).execute();
  await tx.db
    .insertInto('former_subdomain')
    .values({ subdomain: left, realm_id: tx.realmId })
    .onConflict((conflict) => conflict.column('subdomain').doUpdateSet({ realm_id: tx.realmId }))
    .execute();
}

/** Deletes the organization's own row, after everything else was deleted. */
export async function deleteRealm(tx: RealmWriteTx): Promise<void> {
  await tx.db.deleteFrom('realm').where('id', '=', tx.realmId).execute();
}

/** Returns the organization's row, locked until the commit, for changes that depend on its settings. */
export async function lockRealm(tx: RealmWriteTx): Promise<RealmRow> {
  await sql`select id from realm where id = ${tx.realmId} ${tx.dialect.forUpdate}`.execute(tx.db);
  return readRealm(tx);
}
