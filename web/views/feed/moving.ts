import type { Client } from '../../client/index.ts';
import { inConversation, type Message, toWireNarrow } from '../../messages/index.ts';
import { t } from '../../words/index.ts';
import { topicName } from '../shown.ts';
import { offerUndo } from '../undoing.ts';

interface TopicRef {
  readonly channelId: number;
  readonly topic: string;
}

interface Move {
  readonly to: TopicRef;
  readonly mode: 'change_one' | 'change_later' | 'change_all';
  /** Number of moved messages; undefined where they were not counted. */
  readonly count: number | undefined;
  /** Whether a notice is sent to the old and to the new topic. */
  readonly notes: { readonly tellsOld: boolean; readonly tellsNew: boolean };
}

/** Moves messages, and offers to undo it where that would move back exactly these messages. */
export async function moveMessages(client: Client, message: Message, move: Move): Promise<void> {
  const from = { channelId: message.stream_id ?? 0, topic: message.subject };
  const isReversible = await hasRoom(client, message, move);
  await change(client, message, from, move);
  const { to, mode, count } = move;
  const name = topicName(to.topic);
  const text = count === undefined ? t('undo.movedAll', { name }) : t('undo.moved', { name, count });
  const back: Move = { to: from, mode, count, notes: { tellsOld: false, tellsNew: false } };
  if (isReversible) offerUndo(client, text, () => change(client, message, to, back));
}

/** Whether the target has no messages that an undo would move as well. */
async function hasRoom({ api }: Client, message: Message, { to, mode }: Move): Promise<boolean> {
  if (mode === 'change_one') return true;
  const found = await api.call('GET', '/messages', {
    narrow: toWireNarrow(inConversation(to)),
    anchor: mode === 'change_all' ? 'oldest' : String(message.id),
    num_before: 0,
    num_after: 1,
    allow_empty_topic_name: true,
  });
  return found.messages.length === 0;
}

async function change({ api }: Client, message: Message, from: TopicRef, { to, mode, notes }: Move): Promise<void> {
  await api.call('PATCH', '/messages/{message_id}', {
    message_id: message.id,
    ...(to.channelId !== from.channelId && { stream_id: to.channelId }),
    ...(to.topic !== from.topic && { topic: to.topic }),
    propagate_mode: mode,
    send_notification_to_old_thread: notes.tellsOld,
    send_notification_to_new_thread: notes.tellsNew,
  });
}
