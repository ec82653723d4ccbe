import { rename } from '#features/accounts';
import { readRealm, settingsOf } from '#features/realms';
import {
  assertValid,
  changeSettings,
  NotForOthers,
  type SentSettings,
  type TargetUsers,
  updateSettingsOfOthers,
} from '#features/user-settings';
import { lockUser, NameFault, nameRefusal } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { AdministratorRequired } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import { isAdministrator } from '#kernel/permissions';
import { askForConfirmation, assertNewEmail } from './email.ts';
import { NoTargets } from './errors.ts';
import { newPasswordHash, setPassword } from './password.ts';

/** The changes to its own account that a client asks for; undefined members stay. */
interface SentAccount {
  readonly full_name: string | undefined;
  readonly email: string | undefined;
  readonly old_password: string | undefined;
  readonly new_password: string | undefined;
}

/** Changes the caller's own account and settings; `address` is where the request came from. Checks in the order of protocol/settings#changing. */
export async function updateOwnAccount(
  context: Context,
  actor: Actor,
  sent: SentAccount & SentSettings & { readonly address: string },
): Promise<void> {
  assertValid(sent);
  const { new_password, old_password = '', address } = sent;
  const password = new_password
    ? await newPasswordHash({ context, realm: actor.realm, address }, actor, { old_password, new_password })
    : undefined;
  const email = sent.email?.trim();
  const newEmail = email && email !== actor.email ? email : undefined;
  if (newEmail !== undefined) await assertNewEmail(context, actor, newEmail);
  const full_name = await newName(context, actor, sent.full_name);
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await changeSettings(context, tx, actor.userId, sent);
    const user = await lockUser(tx, actor.userId);
    if (full_name !== undefined) await rename(tx, user, full_name);
    if (newEmail !== undefined) await askForConfirmation(context, tx, user, newEmail);
    if (password !== undefined) await setPassword(context, tx, user, password);
  });
}

/** The new name; undefined if nothing changes, or if only administrators may change their names. */
async function newName(context: Context, actor: Actor, sent: string | undefined): Promise<string | undefined> {
  const name = sent?.trim();
  if (name === undefined || name === '' || name === actor.fullName) return undefined;
  return context.store.as(actor).read(async (tx) => {
    const { name_changes_disabled } = settingsOf(await readRealm(tx));
    if (name_changes_disabled && !isAdministrator(actor)) return undefined;
    const fault = await nameRefusal(tx, name, actor.userId);
    if (fault !== undefined) throw NameFault({ fault });
    return name;
  });
}

/** The users that a client named; missing members are undefined. */
type SentTargets = { readonly [K in keyof TargetUsers]?: TargetUsers[K] | undefined };

/**
 * Changes settings of others, for administrators. Members that only the account's owner may change are refused. See
 * protocol/settings#changing.
 */
export async function updateAccountsOfOthers(
  context: Context,
  actor: Actor,
  { target_users: targets, ...sent }: SentAccount & SentSettings & { readonly target_users: SentTargets },
): Promise<void> {
  if (!isAdministrator(actor)) throw AdministratorRequired();
  const { user_ids = [], group_ids = [], skip_if_already_edited = false } = targets;
  if (user_ids.length === 0 && group_ids.length === 0) throw NoTargets();
  const { full_name, email, old_password, new_password } = sent;
  if ([full_name, email, old_password, new_password].some((one) => one !== undefined)) throw NotForOthers();
  await updateSettingsOfOthers(context, actor.realm, { user_ids, group_ids, skip_if_already_edited }, sent);
}
