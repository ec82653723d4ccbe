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
 * Deactivates the organization: from the commit on nobody can log in, and nothing is sent. With `deletionDays` its data
 * is deleted after this number of days. See protocol/organizations#deactivating.
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
    // Another owner was first; their choice about the data stands.
    if (is_deactivated) throw RealmDeactivated();
    await setRealmDeactivated(tx, true);
    await deleteSessionsIn(tx);
    if (deletionDays !== undefined) await removeLater(tx, deletionDays);
    tx.emit(realmDeactivated({ realm_id: realm.id }));
  });
}

/**
 * Reactivates a deactivated organization and cancels the deletion of its data; returns false if it is active. For
 * operators.
 */
export async function reactivateRealm(context: Context, realm: Pick<RealmRef, 'id'>): Promise<boolean> {
  return context.store.of(realm.id).write(async (tx) => {
    await lockLog(tx);
    const { is_deactivated } = await lockRealm(tx);
    if (!is_deactivated) return false;
    await setRealmDeactivated(tx, false);
    await removeNever(tx);
    record(tx, { action: 'organization.reactivated', target: { kind: 'organization' } });
    return true;
  });
}
