import type { RealmRefWriteTx } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { Mail } from '#kernel/mail';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { endRecovery } from '#features/sign-in';
import { announceAvatar, apiEmail, realmUserUpdated, setUser, type UserRow } from '#features/users';

/** Renames an account; the caller has checked the name. See protocol/events#realm_user. */
export async function rename(tx: RealmWriteTx, user: UserRow, full_name: string): Promise<void> {
  await setUser(tx, user.id, { full_name });
  const person = { user_id: user.id, full_name };
  const before = { full_name: user.full_name };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers: [user.id], before }));
}

/**
 * Changes an account's email address, which the caller has checked. Links mailed before stop working. Viewers who may
 * see the real address get it; the API's form of the address, and a picture derived from it, change for everybody. See
 * protocol/events#realm_user.
 */
export async function changeEmail(tx: RealmRefWriteTx, user: UserRow, email: string): Promise<UserRow> {
  const isGravatar = user.avatar_source === 'G';
  const avatar_version = user.avatar_version + (isGravatar ? 1 : 0);
  const changed = { email, email_key: foldCase(email), avatar_version };
  await setUser(tx, user.id, changed);
  await endRecovery(tx, user.id);
  const after = { ...user, ...changed };
  announceAddress(tx, after, user.email);
  const shown = apiEmail(after, tx.realm.host);
  if (shown !== apiEmail(user, tx.realm.host))
    tx.emit(realmUserUpdated({ person: { user_id: user.id, new_email: shown } }, { audience: everyoneInRealm }));
  if (isGravatar) announceAvatar(tx, after);
  return after;
}

/**
 * Builds the mail that tells the former address of an account that it is no longer used: its owner may not know of the
 * change (security#asvs, 6.3.7).
 */
export function formerAddressMail(
  { realm }: RealmRefWriteTx,
  user: Pick<UserRow, 'full_name' | 'email'>,
  { address, isByAdministrator }: { readonly address: string; readonly isByAdministrator: boolean },
): Mail {
  const account = `account at ${realm.name} (${realm.url})`;
  const text = isByAdministrator
    ? [
        `An administrator has given your ${account} the address ${address} instead of this one.`,
        'If you did not expect that, please ask an owner of the organization at once.',
      ]
    : [`Your ${account} now uses the address ${address}.`, 'If it was not you, please tell an administrator at once.'];
  return {
    to: { name: user.full_name, address: user.email },
    subject: `Your address at ${realm.name} has changed`,
    text: text.join('\n\n'),
  };
}

/** A person always sees their own address, whatever its visibility; a bot's address is visible to everybody. */
function announceAddress(tx: RealmWriteTx, user: UserRow, former: string): void {
  const { id, email, is_bot } = user;
  const person = { user_id: id, delivery_email: email };
  const audience = is_bot ? everyoneInRealm : { users: [id] };
  const before = { delivery_email: former };
  tx.emit(realmUserUpdated({ person }, { audience, viewers: [id], before }));
  if (is_bot) return;
  const address = { email, before: null, after: user.email_address_visibility };
  tx.emit(realmUserUpdated({ person: { user_id: id }, address }, { audience: { everyone: true, except: [id] } }));
}
