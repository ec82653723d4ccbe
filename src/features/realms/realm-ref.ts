import type { RealmRef } from '#kernel/auth';
import { onceFor } from '#kernel/lists';
import { type InRealm, inRealm, type RealmReadTx } from '#kernel/store';
import { readRealm } from './queries.ts';
import { settingsOf } from './settings.ts';
import type { RealmIdentity } from './tables.ts';

/** What every request knows of its organization. Made once of each row: rows are kept while they are true. */
export const realmRefOf = onceFor(
  (row: RealmIdentity): RealmRef => ({
    id: row.id,
    subdomain: row.string_id,
    name: row.name,
    isDeactivated: row.is_deactivated,
    waitingPeriodDays: settingsOf(row).waiting_period_threshold,
    restrictsGuests: row.can_access_all_users_group !== row.system_groups['role:everyone'],
    groups: row.system_groups,
  }),
);

/** A transaction that has only the ID of its organization, once it has read the rest. */
export async function withRealm<T extends RealmReadTx>(tx: T): Promise<T & InRealm<RealmRef>> {
  return inRealm(tx, realmRefOf(await readRealm(tx)));
}
