import type { RealmRefWriteTx } from '#kernel/auth';
import { isGuest } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { type ChannelRow, listChannels } from '#features/channels';
import { announceRoleGroups } from '#features/groups';
import { readRealm, settingsOf } from '#features/realms';
import { setPasswordHash } from '#features/sign-in';
import { announceConsent, settingsOfNewUser } from '#features/user-settings';
import { announceAccount, insertUser, type UserRow } from '#features/users';

/** What a new account needs; everything else follows from the organization's defaults. */
export interface NewPerson {
  readonly email: string;
  readonly full_name: string;
  readonly role: number;
  readonly timezone?: string;
  /** Undefined for a person who signs in without a password. */
  readonly passwordHash?: string | undefined;
}

/**
 * Creates a person's account and announces it. The caller has checked rights, name and address. See
 * protocol/events#order, sign-up.
 */
export async function addPerson(tx: RealmRefWriteTx, { passwordHash, ...person }: NewPerson): Promise<UserRow> {
  const user = await insertUser(tx, {
    realm_id: tx.realmId,
    ...person,
    ...(await settingsOfNewUser(tx)),
    avatar_source: settingsOf(await readRealm(tx)).default_avatar_source,
  });
  if (passwordHash !== undefined) await setPasswordHash(tx, user.id, passwordHash);
  announceAccount(tx, user);
  announceConsent(tx, user);
  announceRoleGroups(tx, user);
  return user;
}

/** Returns the default channels that are not archived; none for a guest. */
export async function defaultChannelsOf(
  tx: RealmReadTx,
  newcomer: Pick<UserRow, 'role'>,
): Promise<readonly ChannelRow[]> {
  if (isGuest(newcomer)) return [];
  return (await listChannels(tx)).filter((channel) => channel.is_default && !channel.is_archived);
}
