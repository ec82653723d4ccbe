import { everyoneInRealm } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';
import { avatarUrl } from './avatars.ts';
import { realmUserUpdated } from './events.ts';
import type { UserRow } from './tables.ts';

/** Tells everybody of the picture that an account has now, and returns its address. See protocol/events#realm_user. */
export function announceAvatar(tx: RealmWriteTx, row: UserRow): string {
  const avatar_url = avatarUrl(row, { mayBeNull: false });
  const person = {
    user_id: row.id,
    avatar_source: row.avatar_source,
    avatar_version: row.avatar_version,
    avatar_url,
    avatar_url_medium: avatarUrl(row, { mayBeNull: false, medium: true }),
  };
  tx.emit(realmUserUpdated(tx.realmId, { person }, { audience: everyoneInRealm }));
  return avatar_url ?? '';
}
