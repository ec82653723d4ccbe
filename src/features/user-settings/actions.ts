import type { AccountRef, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { everyoneInRealm, lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { lockRealm } from '#features/realms';
import {
  announceAvatar,
  apiEmail,
  avatarUrl,
  lockUser,
  realmUserUpdated,
  setUser,
  setUserSettings,
  type UserRow,
} from '#features/users';
import { exportConsentChanged, realmDefaultChanged, userSettingChanged } from './events.ts';
import { findRealmDefaults, insertEdited, upsertRealmDefaults } from './queries.ts';
import { assertValid, languageName } from './rules.ts';
import { USER_SETTING_DEFAULTS, type UserSettings } from './settings.ts';
import { differences, type SentSettings, settingsOf, sparse } from './values.ts';

/** Settings of users changed; `changed` has the new values, the same for all of these users. */
export const settingsChanged = signal<
  {
    readonly userIds: readonly UserId[];
    readonly changed: Partial<UserSettings>;
  },
  RealmRefWriteTx
>('settingsChanged');

/**
 * Changes a user's own settings, which the caller has validated; unchanged ones are not announced. See
 * protocol/settings#changing.
 */
export async function changeSettings(
  context: Context,
  tx: RealmRefWriteTx,
  userId: UserId,
  sent: SentSettings,
): Promise<void> {
  const row = await lockUser(tx, userId);
  const before = settingsOf(row);
  const changed = differences(before, sent);
  if (changed.length === 0) return;
  const after = { ...before, ...Object.fromEntries(changed) };
  await setUserSettings(tx, userId, sparse(after));
  const { timezone, email_address_visibility } = after;
  await setUser(tx, userId, { timezone, email_address_visibility });
  await insertEdited(
    tx,
    userId,
    changed.map(([name]) => name),
  );
  for (const [property, value] of changed) tx.emit(changedEvent([userId], property, value));
  tellOthers(tx, row, after);
  await settingsChanged.send(tx, { userIds: [userId], changed: Object.fromEntries(changed) }, context);
}

/** Validates settings and changes them in a transaction of its own. */
export async function updateSettings(
  context: Context,
  { realm, userId }: AccountRef,
  sent: SentSettings,
): Promise<void> {
  assertValid(sent);
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    await changeSettings(context, tx, userId, sent);
  });
}

/**
 * Tells administrators whether somebody who joins, or is reactivated, lets them export private data. See
 * protocol/events#organization.
 */
export function announceConsent(tx: RealmWriteTx, user: UserRow): void {
  const { allow_private_data_export: consented } = settingsOf(user);
  tx.emit(exportConsentChanged({ user_id: user.id, consented }));
}

/** Changes the organization's defaults for new users. See protocol/organizations#defaults-for-new-people. */
export async function updateRealmDefaults(context: Context, realm: RealmRef, sent: SentSettings): Promise<void> {
  assertValid(sent);
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    await lockRealm(tx);
    const before = { ...USER_SETTING_DEFAULTS, ...(await findRealmDefaults(tx)) };
    const changed = differences(before, sent);
    if (changed.length === 0) return;
    await upsertRealmDefaults(tx, sparse({ ...before, ...Object.fromEntries(changed) }, ['timezone']));
    const former = new Map<string, unknown>(Object.entries(before));
    for (const [property, value] of changed)
      tx.emit(realmDefaultChanged({ property, value }, { before: former.get(property) }));
  });
}

/** The event that one setting of these users has a new value. */
export function changedEvent(userIds: readonly UserId[], property: string, value: unknown) {
  const isLanguage = property === 'default_language' && typeof value === 'string';
  return userSettingChanged(
    { property, value, ...(isLanguage && { language_name: languageName(value) }) },
    { audience: { users: userIds } },
  );
}

/** Emits the events for others about the three settings that change what they see of a user. */
function tellOthers(tx: RealmRefWriteTx, row: UserRow, after: UserSettings): void {
  const host = tx.realm.host;
  const consented = after.allow_private_data_export;
  if (consented !== settingsOf(row).allow_private_data_export)
    tx.emit(exportConsentChanged({ user_id: row.id, consented }));
  const { timezone, email_address_visibility } = after;
  if (timezone !== row.timezone)
    tx.emit(
      realmUserUpdated(
        { person: { user_id: row.id, email: apiEmail({ ...row, email_address_visibility }, host), timezone } },
        { audience: everyoneInRealm },
      ),
    );
  if (email_address_visibility === row.email_address_visibility) return;
  tx.emit(
    realmUserUpdated(
      {
        person: { user_id: row.id },
        address: { email: row.email, before: row.email_address_visibility, after: email_address_visibility },
      },
      { audience: { everyone: true, except: [row.id] } },
    ),
  );
  const email = apiEmail({ ...row, email_address_visibility }, host);
  if (email !== apiEmail(row, host))
    tx.emit(realmUserUpdated({ person: { user_id: row.id, new_email: email } }, { audience: everyoneInRealm }));
  // Clients that computed the picture's address from the email address can no longer.
  const isComputed = (one: UserRow) => avatarUrl(one, { mayBeNull: true }) === null;
  if (isComputed(row) && !isComputed({ ...row, email_address_visibility })) announceAvatar(tx, row);
}
