import type { Client } from '../../client/index.ts';
import { inConversation, toWireNarrow } from '../../messages/index.ts';
import { type Conversation, mayIn } from '../../model/index.ts';
import { t } from '../../words/index.ts';
import { ask } from '../overlays/open.ts';
import { undoable } from '../undoing.ts';
import { isResolved, toggled, withoutMark } from './resolving.ts';

export interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

/** Whether the viewer may resolve a topic; the one without a name cannot be resolved. See protocol/editing#checks. */
export function mayResolve({ model }: Client, { channelId, topic }: Topic): boolean {
  const channel = model.channels.table.get(channelId)?.channel;
  if (topic === '' || channel === undefined || channel.is_archived) return false;
  return mayIn(model.facts, 'realm_can_resolve_topics_group', channel.can_resolve_topics_group);
}

/** Topics that are being resolved or reopened: a second press does not do it again. */
const running = new Set<string>();

/** Resolves or reopens a topic, by the ID of any of its messages. */
export async function resolveTopic(client: Client, topic: Topic): Promise<void> {
  const next = { ...topic, topic: toggled(topic.topic) };
  const about = `resolved ${topic.channelId} ${withoutMark(topic.topic)}`;
  if (running.has(about)) return;
  running.add(about);
  await undoable(client, {
    text: t(isResolved(topic.topic) ? 'undo.reopened' : 'undo.resolved', { name: withoutMark(topic.topic) }),
    about,
    run: () => rename(client, topic),
    undo: () => rename(client, next),
  });
  running.delete(about);
}

/** Asks where to move a topic, whole. */
export async function moveTopic(client: Client, topic: Topic): Promise<void> {
  const message = await newestIn(client, topic);
  if (message) ask('move', { ...message, flags: message.flags ?? [] }, true);
}

/** Returns the newest message of a conversation; undefined when it has none. */
export async function newestIn({ api }: Client, conversation: Conversation) {
  const found = await api.call('GET', '/messages', {
    narrow: toWireNarrow(inConversation(conversation)),
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    allow_empty_topic_name: true,
  });
  return found.messages[0];
}

async function rename(client: Client, topic: Topic): Promise<void> {
  const message = await newestIn(client, topic);
  if (!message) return;
  await client.api.call('PATCH', '/messages/{message_id}', {
    message_id: message.id,
    topic: toggled(topic.topic),
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: true,
  });
}
