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

/** New content whose mentions are all allowed. */
export interface NewContent {
  readonly outgoing: Outgoing;
  readonly mentions: Mentions;
}

/** New content of a message with its mentions, if all are allowed. See protocol/editing#checks, check 19. */
export async function assertMayContain(
  tx: RealmReadTx,
  message: MessageRow,
  channel: ChannelRow | undefined,
  outgoing: Outgoing,
): Promise<NewContent> {
  const own = actingAs(tx, outgoing.actor);
  const mentions = await mentionsOf(own, message, channel, outgoing);
  await assertMayMention(own, outgoing, mentions);
  return { outgoing, mentions };
}

/** What a message held before, for its history. */
export type PreviousContent = Pick<StoredEdit, 'prev_content' | 'prev_rendered_content'>;

export const previousContent = (message: MessageRow): PreviousContent => ({
  prev_content: message.content,
  prev_rendered_content: message.rendered_content,
});

/**
 * Stores new content with the flags and files that follow from it. `isMoved`: the entry in its history is that of the
 * move, which comes in the same transaction.
 */
export async function changeContent(
  context: Context,
  tx: RealmWriteTx,
  message: MessageRow,
  { outgoing, mentions }: NewContent,
  isMoved: boolean,
): Promise<Claimed['detached']> {
  const { content, rendered, actor } = outgoing;
  const { id } = message;
  const own = actingAs(tx, actor);
  const files = await claimAttachments(own, actor, { id, isNew: false }, rendered.attachmentPathIds, readerOf(own));
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
  await setContent(tx, message.id, columns, entry);
  indexMessages(tx, [{ ...message, content }]);
  await deleteFlagsOfAll(tx, ['mentioned', 'topic_wildcard_mentioned', 'has_alert_word'], [message.id]);
  await deleteGroupMentions(tx, [message.id]);
  await insertFlags(tx, flagRows(message, mentions));
  await insertGroupMentions(tx, message.id, [...rendered.mentionedGroupIds]);
  await contentEdited.send(context, own, { message, rendered });
  return files.detached;
}

async function mentionsOf(
  tx: ActorReadTx,
  message: MessageRow,
  channel: ChannelRow | undefined,
  outgoing: Outgoing,
): Promise<Mentions> {
  if (channel) return channelMentions(tx, outgoing, channel, message.topic);
  const people = await listRecipients(tx, undefined, [message]);
  return directMentions(outgoing, [...(await findUsers(tx, people)).values()]);
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
 * Shows a message otherwise than before though it says the same: previews and thumbnails that came later. Tells those who
 * hold it; this is no edit. The log is locked. See protocol/events#update_message, rendering_only.
 */
export async function replaceRendering(
  tx: RealmRefWriteTx,
  message: MessageRow,
  rendered_content: string,
): Promise<void> {
  await setRendering(tx, message.id, { rendered_content, has_image: showsImage(rendered_content) });
  const channel = message.channel_id === null ? undefined : await findChannel(tx, message.channel_id);
  const audience = await recipientsOf(tx, [message]);
  const flags = await flagsOfAll(tx, message, await listRecipients(tx, channel, [message]));
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
  tx.emit(messageUpdated(tx.realmId, payload, { audience, flags }));
}
