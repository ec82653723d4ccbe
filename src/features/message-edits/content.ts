import { type ChannelRow, findChannel } from '#features/channels';
import {
  assertMayMention,
  channelMentions,
  deleteFlagsOfAll,
  deleteGroupMentions,
  directMentions,
  indexMessages,
  insertFlags,
  insertGroupMentions,
  type Mentions,
  type MessageRow,
  type Outgoing,
  readerOf,
  recipientsOf,
  setContent,
  setRendering,
  type StoredEdit,
  type StoredFlag,
} from '#features/messages';
import { claimAttachments, type Claimed } from '#features/uploads';
import { findUsers } from '#features/users';
import type { ActorReadTx, RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { showsImage } from '#kernel/markdown';
import { actingAs, type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import { messageUpdated } from './events.ts';
import { flagsOfAll, listRecipients } from './recipients.ts';
import { contentEdited } from './signals.ts';

/** A message to edit. */
export interface Editable {
  readonly message: MessageRow;
  /** Undefined for direct messages. */
  readonly channel: ChannelRow | undefined;
}

/** New content of a message, whose mentions are all permitted. */
export interface NewContent {
  readonly message: MessageRow;
  readonly outgoing: Outgoing;
  readonly mentions: Mentions;
}

/**
 * Returns a message's new content with its mentions; throws unless all are permitted. See protocol/editing#checks,
 * check 19.
 */
export async function assertMayContain(tx: RealmReadTx, editable: Editable, outgoing: Outgoing): Promise<NewContent> {
  const own = actingAs(tx, outgoing.actor);
  const mentions = await mentionsOf(own, editable, outgoing);
  await assertMayMention(own, outgoing, mentions);
  return { message: editable.message, outgoing, mentions };
}

/** The former content of a message, for its history. */
export type PreviousContent = Pick<StoredEdit, 'prev_content' | 'prev_rendered_content'>;

export const previousContent = (message: MessageRow): PreviousContent => ({
  prev_content: message.content,
  prev_rendered_content: message.rendered_content,
});

/**
 * Stores new content with the flags and files that follow from it. With `isMoved` it adds no history entry, because a
 * move in the same transaction adds one.
 */
export async function changeContent(
  context: Context,
  tx: RealmWriteTx,
  { message, outgoing, mentions }: NewContent,
  isMoved: boolean,
): Promise<Claimed['detached']> {
  const { content, rendered, actor } = outgoing;
  const { id } = message;
  const own = actingAs(tx, actor);
  const linking = { id, isNew: false, pathIds: rendered.attachmentPathIds };
  const files = await claimAttachments(own, linking, readerOf(own));
  const columns = {
    content,
    rendered_content: rendered.html,
    is_me_message: rendered.isMeMessage,
    has_attachment: files.hasAny,
    has_image: rendered.hasImage,
    has_link: rendered.hasLink,
    mentions_channel: rendered.mentionsChannel,
    mentions_groups: rendered.mentionedGroupIds.size > 0,
  };
  const entry = isMoved ? null : { user_id: message.sender_id, timestamp: tx.now, ...previousContent(message) };
  await setContent(tx, id, { ...columns, entry });
  indexMessages(tx, [{ ...message, content }]);
  await deleteFlagsOfAll(tx, ['mentioned', 'topic_wildcard_mentioned', 'has_alert_word'], [message.id]);
  await deleteGroupMentions(tx, [message.id]);
  await insertFlags(tx, flagRows(message, mentions));
  await insertGroupMentions(tx, message.id, [...rendered.mentionedGroupIds]);
  await contentEdited.send(own, { message, rendered }, context);
  return files.detached;
}

async function mentionsOf(tx: ActorReadTx, { message, channel }: Editable, outgoing: Outgoing): Promise<Mentions> {
  if (channel) return channelMentions(tx, outgoing, channel, message.topic);
  const { users = [] } = await recipientsOf(tx, [message]);
  return directMentions(outgoing, [...(await findUsers(tx, users)).values()]);
}

function flagRows(message: MessageRow, mentions: Mentions) {
  const marked = (flag: StoredFlag, users: Mentions['named']) =>
    users.map((user_id) => ({ user_id, message_id: message.id, flag }));
  return [
    ...marked('mentioned', mentions.named),
    ...marked('delivered', mentions.delivered),
    ...marked('topic_wildcard_mentioned', mentions.topic),
    ...marked('has_alert_word', mentions.alerted),
  ];
}

/**
 * Replaces the rendering of a message whose content stays the same, for previews and thumbnails that came later.
 * Notifies its recipients; this is no edit. The caller has locked the log. See protocol/events#update_message,
 * rendering_only.
 */
export async function replaceRendering(
  tx: RealmRefWriteTx,
  message: MessageRow,
  rendered_content: string,
): Promise<void> {
  await setRendering(tx, message.id, { rendered_content, has_image: showsImage(rendered_content) });
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const audience = await recipientsOf(tx, [message]);
  const flags = await flagsOfAll(tx, message, await listRecipients(tx, channel, [message], audience));
  const { id, content, is_me_message } = message;
  const payload = {
    user_id: null,
    rendering_only: true,
    message_id: id,
    message_ids: [id],
    edit_timestamp: tx.now,
    content,
    rendered_content,
    is_me_message,
  };
  tx.emit(messageUpdated(payload, { audience, flags }));
}
