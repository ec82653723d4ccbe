import type { RealmRefWriteTx } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';
import { avatarUrl } from './avatars.ts';
import { realmUserAdded, realmUserUpdated } from './events.ts';
import type { UserRow } from './tables.ts';
import { toWireUser } from './to-wire.ts';

/** Emits the event about a new account of a person or bot. See protocol/events#order. */
export function announceAccount(tx: RealmRefWriteTx, user: UserRow): void {
  const { id: userId, role, email_address_visibility } = user;
  const person = toWireUser(user, tx.realm.host, { role, userId, clientGravatar: false });
  const payload = { person, email_address_visibility };
  tx.emit(realmUserAdded(payload, { audience: everyoneInRealm, viewers: [userId] }));
}

/** Emits the event about an account's present picture. See protocol/events#realm_user. */
export function announceAvatar(tx: RealmWriteTx, row: UserRow): void {
  const person = {
    user_id: row.id,
    avatar_source: row.avatar_source,
    avatar_version: row.avatar_version,
    avatar_url: avatarUrl(row, { mayBeNull: false }),
    avatar_url_medium: avatarUrl(row, { mayBeNull: false, medium: true }),
  };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm }));
}
