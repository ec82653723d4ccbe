import { accessMessage, type MessageRow, type StoredEdit } from '#features/messages';
import { type RealmSettings, readRealm, settingsOf } from '#features/realms';
import type { Actor } from '#kernel/auth';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import { type ContentHtmlDiff, loadContentHtmlDiff } from '#kernel/markdown';
import { HistoryDisabled } from './errors.ts';
import { topicShown } from '#kernel/text';

/** A version of a message, as it was after one change. See protocol/editing#history. */
interface Snapshot {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly user_id: UserId | null;
  readonly timestamp: number;
  readonly prev_topic?: string;
  readonly stream?: ChannelId;
  readonly prev_stream?: ChannelId;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
  readonly content_html_diff?: string;
}

type Policy = RealmSettings['message_edit_history_visibility_policy'];

/**
 * Returns all versions of a message, oldest first, as far as the organization shows them. See protocol/editing#history.
 */
export async function readHistory(
  context: ReadContext,
  actor: Actor,
  asked: { readonly message_id: MessageId; readonly allow_empty_topic_name: boolean },
): Promise<readonly Snapshot[]> {
  const { message, policy } = await context.store.as(actor).read(async (tx) => {
    const { message_edit_history_visibility_policy: shown } = settingsOf(await readRealm(tx));
    if (shown === 'none') throw HistoryDisabled();
    return { message: await accessMessage(tx, asked.message_id), policy: shown };
  });
  return (await snapshots(message, policy, await loadContentHtmlDiff())).map((snapshot) =>
    message.channel_id === null || asked.allow_empty_topic_name ? snapshot : named(snapshot),
  );
}

/** Walks from the newest change back to the original. See protocol/editing#history. */
async function snapshots(message: MessageRow, policy: Policy, diff: ContentHtmlDiff): Promise<readonly Snapshot[]> {
  const found: Snapshot[] = [];
  let { content, rendered_content, topic } = message;
  for (const edit of message.edit_history ?? []) {
    const isHidden = policy === 'moves' && edit.prev_content !== undefined;
    // Lets other requests run: comparing two long texts takes milliseconds, and a message may have been changed often.
    if (edit.prev_content !== undefined && !isHidden) await new Promise(setImmediate);
    const isMove = edit.prev_topic !== undefined || edit.prev_stream !== undefined;
    if (!isHidden || isMove)
      found.push(snapshotOf(edit, { content, rendered_content, topic }, isHidden ? undefined : diff));
    topic = edit.prev_topic ?? topic;
    content = edit.prev_content ?? content;
    rendered_content = edit.prev_rendered_content ?? rendered_content;
  }
  found.push({ topic, content, rendered_content, user_id: message.sender_id, timestamp: message.sent_at });
  return found.toReversed();
}

/** The version after one change; without `diff` it leaves out the change of content. */
function snapshotOf(
  edit: StoredEdit,
  now: Pick<Snapshot, 'content' | 'rendered_content' | 'topic'>,
  diff: ContentHtmlDiff | undefined,
): Snapshot {
  const { user_id, timestamp, prev_content, prev_rendered_content, prev_topic, prev_stream, stream } = edit;
  return {
    ...now,
    user_id,
    timestamp,
    ...(prev_topic !== undefined && { prev_topic }),
    ...(prev_stream !== undefined && { prev_stream }),
    ...(stream !== undefined && { stream }),
    ...(diff &&
      prev_content !== undefined && {
        prev_content,
        prev_rendered_content: prev_rendered_content ?? '',
        content_html_diff: diff(prev_rendered_content ?? '', now.rendered_content),
      }),
  };
}

/** Replaces the unnamed topic by the name that all clients can show. */
function named(snapshot: Snapshot): Snapshot {
  const { topic, prev_topic } = snapshot;
  return {
    ...snapshot,
    topic: topicShown(topic, false),
    ...(prev_topic !== undefined && { prev_topic: topicShown(prev_topic, false) }),
  };
}
