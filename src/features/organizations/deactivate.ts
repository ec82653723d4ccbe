import { record } from '#kernel/audit';
import { MIN_DELETION_DAYS } from '#features/realm-settings';
import { lockRealm, setRealmDeactivated } from '#features/realms';
import { deleteSessionsIn, type RealmRef } from '#kernel/auth';
import { RealmDeactivated } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { DeletionTooSoon } from './errors.ts';
import { realmDeactivated } from './events.ts';
import { removeLater, removeNever } from './removal.ts';

/**
 * Takes the organization out of use: from the commit on nobody gets in, and nothing goes out. What it has is deleted after
 * a number of days, where that is wanted. See protocol/organizations#deactivating.
 */
export async function deactivateRealm(
  context: Context,
  realm: RealmRef,
  deletionDays: number | undefined,
): Promise<void> {
  if (deletionDays !== undefined && deletionDays < MIN_DELETION_DAYS)
    throw DeletionTooSoon({ days: MIN_DELETION_DAYS });
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const { is_deactivated } = await lockRealm(tx);
    // Another owner was faster; what they chose for the data stands.
    if (is_deactivated) throw RealmDeactivated();
    await setRealmDeactivated(tx, true);
    await deleteSessionsIn(tx);
    if (deletionDays !== undefined) await removeLater(context, tx, deletionDays);
    tx.emit(realmDeactivated(realm.id, { realm_id: realm.id }));
  });
}

/** Takes a deactivated organization into use again, and keeps what it has; false when it is in use. For operators. */
export async function reactivateRealm(context: Context, realm: Pick<RealmRef, 'id'>): Promise<boolean> {
  return context.store.of(realm.id).write(async (tx) => {
    await lockLog(tx);
    const { is_deactivated } = await lockRealm(tx);
    if (!is_deactivated) return false;
    await setRealmDeactivated(tx, false);
    await removeNever(context, tx);
    record(tx, { action: 'organization.reactivated', target: { kind: 'organization' } });
    return true;
  });
}
