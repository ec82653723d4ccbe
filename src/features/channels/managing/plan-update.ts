import type { ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired, ParametersIncompatible } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { isOwner } from '#kernel/permissions';
import { foldCase, EMPTY_TOPIC_NAME } from '#kernel/text';
import { findFolder, type FolderId, InvalidFolderId } from '#features/channel-folders';
import { assertMaySetDeletion, type SentChanges } from './change-settings.ts';
import { assertMayOpenToTheWeb, assertRoomForReturn } from '../creating/index.ts';
import { channelErrors as errors } from '../core/index.ts';
import {
  assertChannelName,
  type ChannelRow,
  findChannelsByName,
  hasNamedTopic,
  parseRetention,
  type Powers,
  type TopicsPolicy,
} from '../core/index.ts';
import { subscribersOf } from '../members/index.ts';
import { mayRead, type ChannelAccess } from '../rules.ts';

/** A request to change a channel; what is undefined stays. See protocol/channels#update-parameters. */
export interface UpdateInput extends SentChanges {
  readonly description: string | undefined;
  readonly new_name: string | undefined;
  readonly is_private: boolean | undefined;
  readonly is_web_public: boolean | undefined;
  readonly history_public_to_subscribers: boolean | undefined;
  readonly is_default_stream: boolean | undefined;
  readonly message_retention_days: unknown;
  readonly is_archived: boolean | undefined;
  readonly folder_id: FolderId | null | undefined;
  readonly topics_policy: TopicsPolicy | undefined;
}

/** A change that is being checked: who asks, for which channel, in which transaction. */
export interface UpdateContext {
  readonly context: Context;
  readonly tx: ActorWriteTx;
  readonly powers: Powers;
  readonly channel: ChannelRow;
  readonly access: ChannelAccess;
}

type Privacy = Pick<ChannelRow, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>;

/** Steps 4 to 21: the columns that change, permissions aside. See protocol/channels#update-checks. */
export async function planUpdate(
  update: UpdateContext,
  input: UpdateInput,
): Promise<{ readonly patch: Partial<ChannelRow>; readonly isProtected: boolean }> {
  const privacy = proposedPrivacy(update.channel, input);
  assertPrivacy(update, input, privacy);
  await assertTopicsPolicy(update, input);
  const isProtected = privacy.invite_only && !privacy.history_public_to_subscribers;
  assertTopicCreation(update, input, isProtected);
  if (input.is_default_stream !== undefined && !update.powers.isAdministrator) throw errors.DefaultsNotAllowed();
  if (input.message_retention_days !== undefined && !isOwner(update.powers.actor)) throw OwnerRequired();
  const retention =
    input.message_retention_days === undefined ? undefined : parseRetention(input.message_retention_days);
  const isBroughtBack = await assertUnarchiving(update, input);
  assertMaySetDeletion(update, input);
  await assertNewName(update, input.new_name);
  const { folder_id } = input;
  const isFolderGiven = folder_id !== undefined && folder_id !== null;
  if (isFolderGiven && !(await findFolder(update.tx, folder_id))) throw InvalidFolderId();
  const wanted = {
    ...privacy,
    ...(input.topics_policy !== undefined && { topics_policy: input.topics_policy }),
    ...(input.is_default_stream !== undefined && { is_default: input.is_default_stream }),
    ...(retention !== undefined && { message_retention_days: retention }),
    ...(isBroughtBack && { is_archived: false }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.new_name !== undefined && { name: input.new_name }),
    ...(input.folder_id !== undefined && { folder_id: input.folder_id }),
  };
  return { patch: differing(update.channel, wanted), isProtected };
}

/** Only what differs from the channel as it is. */
function differing(channel: ChannelRow, wanted: Partial<ChannelRow>): Partial<ChannelRow> {
  const now: Readonly<Record<string, unknown>> = { ...channel };
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => now[name] !== value));
}

/** History follows privacy unless the request says otherwise. See protocol/channels#update-checks. */
function proposedPrivacy(channel: ChannelRow, input: UpdateInput): Privacy {
  const { is_private, is_web_public, history_public_to_subscribers } = input;
  return {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: is_web_public ?? channel.is_web_public,
    history_public_to_subscribers:
      history_public_to_subscribers ?? (is_private === undefined ? channel.history_public_to_subscribers : !is_private),
  };
}

/** Steps 4 to 9. */
function assertPrivacy({ context, powers, channel, access }: UpdateContext, input: UpdateInput, next: Privacy): void {
  const { is_private } = input;
  if (next.is_web_public && (!next.history_public_to_subscribers || next.invite_only)) throw errors.InvalidParameters();
  if (!next.invite_only && !next.history_public_to_subscribers) throw errors.InvalidParameters();
  if (next.invite_only && (channel.is_default || input.is_default_stream)) throw errors.DefaultChannelPrivate();
  if (!next.invite_only && powers.settings.moderation_request_channel_id === channel.id)
    throw errors.ModerationChannelPublic();
  if (is_private !== undefined) {
    if (!mayRead(channel, access)) throw errors.ContentAccessRequired();
    const power = is_private ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
    if (!powers.holds(power)) throw InsufficientPermission();
  }
  if (input.is_web_public) assertMayOpenToTheWeb(context, powers);
}

/** Steps 10 and 11. */
async function assertTopicsPolicy({ tx, powers, channel }: UpdateContext, input: UpdateInput): Promise<void> {
  const { topics_policy } = input;
  if (topics_policy === undefined || topics_policy === 'inherit') return;
  if (!powers.holds('can_set_topics_policy_group')) throw InsufficientPermission();
  if (topics_policy === 'empty_topic_only' && (await hasNamedTopic(tx, channel.id)))
    throw errors.TopicsInUse({ empty_topic_display_name: EMPTY_TOPIC_NAME });
}

/** Step 13. */
function assertTopicCreation({ tx, channel }: UpdateContext, input: UpdateInput, isProtected: boolean): void {
  if (!isProtected || input.can_create_topic_group !== undefined) return;
  if (channel.can_create_topic_group !== tx.realm.groups['role:everyone'])
    throw ParametersIncompatible({ parameters: 'history_public_to_subscribers, can_create_topic_group' });
}

/** Step 17. Archiving has an operation of its own: true is ignored. */
async function assertUnarchiving({ tx, channel }: UpdateContext, input: UpdateInput): Promise<boolean> {
  if (input.is_archived !== false) return false;
  if (!channel.is_archived) throw errors.NotArchived();
  const subscribers = (await subscribersOf(tx, [channel.id])).get(channel.id) ?? [];
  if (channel.invite_only && subscribers.length === 0) throw errors.ArchivedWithoutSubscribers();
  await assertRoomForReturn(tx);
  return true;
}

/** Step 20. */
async function assertNewName({ tx, channel }: UpdateContext, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  if (name === channel.name) throw errors.SameName();
  if (foldCase(name) === channel.name_key) return;
  assertChannelName(name);
  if ((await findChannelsByName(tx, [name])).size > 0) throw errors.ChannelExists({ channel_name: name });
}
