import type { ActorReadTx, RealmRef, RealmRefReadTx } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { InsufficientPermission, OwnerRequired, ParametersIncompatible } from '#kernel/errors';
import { recordOf } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { type GroupSettingValue, isOwner } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { findFolder, type FolderId, InvalidFolderId } from '#features/channel-folders';
import { assertAllowed, CHANNEL_SETTINGS, channelSetting, type ChannelSettingName, normalise } from '#features/groups';
import type { NewChannelInput } from './create.ts';
import {
  countChannels,
  DefaultChannelPrivate,
  InvalidParameters,
  MAX_CHANNELS,
  MAX_CHANNELS_A_DAY,
  parseRetention,
  type Powers,
  TooManyChannels,
  type TopicsPolicy,
  WebPublicDisabled,
} from '../core/index.ts';

/** The parameters of a request for the channels it creates. See protocol/channels#creation-parameters. */
export interface CreationInput extends SentSettings {
  readonly folder_id: FolderId | undefined;
  readonly history_public_to_subscribers: boolean | undefined;
  readonly invite_only: boolean;
  readonly is_default_stream: boolean;
  readonly is_web_public: boolean;
  readonly message_retention_days: unknown;
  readonly topics_policy: TopicsPolicy;
}

/** Permissions that a request names. */
export type SentSettings = { readonly [K in ChannelSettingName]: GroupSettingValue | undefined };

type CheckedSettings = NewChannelInput['settings'];

/**
 * Checks 3 and 4: the folder exists, retention is a value, the topics policy may be chosen.
 * See protocol/channels#creation-checks.
 */
export async function assertPlace(
  tx: RealmReadTx,
  powers: Powers,
  input: CreationInput,
): Promise<{ readonly retention: number | null }> {
  if (input.folder_id !== undefined && !(await findFolder(tx, input.folder_id))) throw InvalidFolderId();
  const retention = parseRetention(input.message_retention_days);
  if (input.topics_policy !== 'inherit' && !powers.holds('can_set_topics_policy_group')) throw InsufficientPermission();
  return { retention };
}

/** Check 6: every permission that was sent, in the order of its name. See protocol/channels#creation-checks. */
export async function checkedSettings(
  tx: RealmRefReadTx,
  powers: Powers,
  input: CreationInput,
): Promise<CheckedSettings> {
  const values = new Map<ChannelSettingName, GroupSettingValue>();
  for (const name of SETTING_NAMES) {
    const sent = input[name];
    if (sent === undefined) continue;
    const value = normalise(sent, tx.realm);
    await assertAllowed(tx, channelSetting(name), value);
    assertTopicsOpen(name, value, tx.realm, hasProtectedHistory(input));
    if (channelSetting(name).isDeletion && value !== tx.realm.groups['role:nobody'] && !powers.holds(DELETION_POWER))
      throw InsufficientPermission();
    values.set(name, value);
  }
  return recordOf([...values.keys()], (name) => values.get(name) ?? tx.realm.groups['role:nobody']);
}

/** Checks 7 to 12, for each channel that is to be made. See protocol/channels#creation-checks. */
export function assertMayCreate(
  context: Context,
  powers: Powers,
  input: CreationInput,
  retention: number | null,
): void {
  const kind = input.invite_only ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  if (!powers.holds(kind)) throw InsufficientPermission();
  if (input.is_default_stream && !powers.isAdministrator) throw InsufficientPermission();
  if (input.is_default_stream && input.invite_only) throw DefaultChannelPrivate();
  if (input.is_web_public) assertMayOpenToTheWeb(context, powers);
  if (retention !== null && !isOwner(powers.actor)) throw OwnerRequired();
  if (input.invite_only && input.is_web_public) throw InvalidParameters();
}

/** Check 13: so many more channels are within the limits. See protocol/channels#creation-checks. */
export async function assertRoomForChannels(tx: ActorReadTx, { isAdministrator }: Powers, more: number): Promise<void> {
  const { used, made } = await countChannels(tx, tx.now - SECONDS_PER_DAY);
  if (used + more > MAX_CHANNELS || (!isAdministrator && made + more > MAX_CHANNELS_A_DAY)) throw TooManyChannels();
}

/** Throws unless one more channel may be in use. See protocol/channels#update-checks, step 17. */
export async function assertRoomForReturn(tx: ActorReadTx): Promise<void> {
  const { used } = await countChannels(tx, tx.now);
  if (used >= MAX_CHANNELS) throw TooManyChannels();
}

/**
 * Throws unless channels may be opened to the web here, and by this caller.
 * See protocol/permissions#organization-permissions.
 */
export function assertMayOpenToTheWeb(context: Context, powers: Powers): void {
  if (!context.server.webPublicChannels || !powers.settings.enable_spectator_access) throw WebPublicDisabled();
  if (!powers.holds('can_create_web_public_channel_group')) throw InsufficientPermission();
}

/**
 * Throws when new topics would be restricted where history is protected. See protocol/permissions#channel-permissions.
 */
export function assertTopicsOpen(
  name: ChannelSettingName,
  value: GroupSettingValue,
  realm: RealmRef,
  isProtected: boolean,
): void {
  if (name === 'can_create_topic_group' && isProtected && value !== realm.groups['role:everyone'])
    throw ParametersIncompatible({ parameters: 'history_public_to_subscribers, can_create_topic_group' });
}

/** The organization's permission to set who deletes messages. */
export const DELETION_POWER = 'can_set_delete_message_policy_group';

function hasProtectedHistory(input: CreationInput): boolean {
  return input.invite_only && !(input.history_public_to_subscribers ?? false);
}

/** A channel to be made. */
export function newChannel(
  input: CreationInput,
  own: { readonly name: string; readonly description: string; readonly rendered_description: string },
  retention: number | null,
  settings: CheckedSettings,
): NewChannelInput {
  return {
    ...own,
    invite_only: input.invite_only,
    is_web_public: input.is_web_public,
    is_default: input.is_default_stream,
    history_public_to_subscribers: !hasProtectedHistory(input),
    message_retention_days: retention,
    folder_id: input.folder_id ?? null,
    topics_policy: input.topics_policy,
    settings,
  };
}

const SETTING_NAMES = CHANNEL_SETTINGS.map((setting) => setting.name).toSorted();

/** No permission chosen: all at their defaults. */
export const NO_SETTINGS: SentSettings = recordOf(SETTING_NAMES, () => undefined);
