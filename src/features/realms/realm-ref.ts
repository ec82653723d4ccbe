import { realmHostOf, type RealmRef, realmUrlOf, type ServerAddress } from '#kernel/auth';
import { onceFor } from '#kernel/lists';
import type { RealmId } from '#kernel/ids';
import { type InRealm, inRealm, type RealmReadTx, type Store } from '#kernel/store';
import { readRealm } from './queries.ts';
import { settingsOf } from './settings.ts';
import type { RealmIdentity } from './tables.ts';

/**
 * The facts that every request needs about its organization. Built once for each row object, which is cached while it
 * is valid.
 */
export const realmRefOf = onceFor(
  (row: RealmIdentity, server: ServerAddress): RealmRef => ({
    id: row.id,
    subdomain: row.string_id,
    // Asked each time, because a server that listens on any free port learns its address late.
    get url() {
      return realmUrlOf(row.string_id, server);
    },
    get host() {
      return realmHostOf(row.string_id, server);
    },
    name: row.name,
    isDeactivated: row.is_deactivated,
    language: settingsOf(row).default_language,
    waitingPeriodDays: settingsOf(row).waiting_period_threshold,
    restrictsGuests: row.can_access_all_users_group !== row.system_groups['role:everyone'],
    groups: row.system_groups,
  }),
);

/** Reads an organization of which only the ID is known. */
export async function loadRealm(
  { store, server }: { readonly store: Pick<Store, 'of'>; readonly server: ServerAddress },
  realmId: RealmId,
): Promise<RealmRef> {
  return realmRefOf(await store.of(realmId).query((tx) => readRealm(tx)), server);
}

/** Adds the rest of the organization to a transaction that has only its ID. */
export async function withRealm<T extends RealmReadTx>(
  { server }: { readonly server: ServerAddress },
  tx: T,
): Promise<T & InRealm<RealmRef>> {
  return inRealm(tx, realmRefOf(await readRealm(tx), server));
}
