import { deleteSessionsIn, type RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Kit } from '#kernel/kit';
import { setRealmDeactivated } from '#features/realms';
import { realmDeactivated } from './events.ts';

/** Takes the organization out of use: from the commit on nobody gets in, and nothing goes out. Contract surrounding 2.8.2. */
export async function deactivateRealm(kit: Kit, realm: RealmRef): Promise<void> {
  await kit.store.write(async (tx) => {
    await lockLog(tx, realm.id);
    await setRealmDeactivated(tx, realm.id);
    await deleteSessionsIn(tx, realm.id);
    tx.emit(realmDeactivated(realm.id, { realm_id: realm.id }));
  });
}
