import type { RealmRef } from '#kernel/auth';
import { onceFor } from '#kernel/lists';
import { type InRealm, inRealm, type RealmReadTx } from '#kernel/store';
import { readRealm } from './queries.ts';
import { settingsOf } from './settings.ts';
import type { RealmIdentity } from './tables.ts';

/**
 * The facts that every request needs about its organization. Built once for each row object, which is cached while it
 * is valid.
 */
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

/** Adds the rest of the organization to a transaction that has only its ID. */
export async function withRealm<T extends RealmReadTx>(tx: T): Promise<T & InRealm<RealmRef>> {
  return inRealm(tx, realmRefOf(await readRealm(tx)));
}
