import type { Actor } from '#kernel/auth';
import { AdministratorRequired } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import { NotForOthers, type SentSettings, type TargetUsers, updateSettingsOfOthers } from '#features/user-settings';
import { NoTargets } from './errors.ts';
import type { SentAccount } from './update.ts';

/** The users a client named; what it left out is undefined. */
type SentTargets = { readonly [K in keyof TargetUsers]?: TargetUsers[K] | undefined };

/** Changes settings of others, for administrators. An account itself is its owner's. See protocol/settings#changing. */
export async function updateAccountsOfOthers(
  context: Context,
  actor: Actor,
  targets: SentTargets,
  { full_name, email, old_password, new_password }: Omit<SentAccount, 'address'>,
  settings: SentSettings,
): Promise<void> {
  if (!isAdministrator(actor)) throw AdministratorRequired();
  const { user_ids = [], group_ids = [], skip_if_already_edited = false } = targets;
  if (user_ids.length === 0 && group_ids.length === 0) throw NoTargets();
  if ([full_name, email, old_password, new_password].some((sent) => sent !== undefined)) throw NotForOthers();
  await updateSettingsOfOthers(context, actor.realm, { user_ids, group_ids, skip_if_already_edited }, settings);
}
