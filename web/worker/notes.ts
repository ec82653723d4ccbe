import { worker as words } from '../words/english/worker.ts';
import type { MessagePayload } from './payload.ts';

/** Lines of a conversation that its notification shows. */
const MAX_LINES = 4;
/** Messages that it remembers, so that they can be marked read from it. */
const MAX_IDS = 500;

/** What a notification knows of the conversation that it stands for. */
export interface NoteData {
  readonly user: number;
  readonly title: string;
  readonly url: string;
  readonly lines: readonly { readonly id: number; readonly text: string }[];
  readonly ids: readonly number[];
  /** Where an answer goes. */
  readonly answer: Readonly<Record<string, string>> | undefined;
}

/** A notification as it is shown. */
export interface Note {
  readonly title: string;
  readonly options: NotificationOptions & { readonly data: NoteData };
}

/** The one notification of a conversation, with a message more than before. */
export function noteWith(payload: MessagePayload, before: NoteData | undefined): Note {
  const { message_id: id, sender_full_name, content, user_id: user, url, conversation } = payload;
  const isChannel = payload.recipient_type === 'channel';
  const isGroup = (payload.recipient_user_ids?.length ?? 0) > 2;
  const text = isChannel || isGroup ? `${sender_full_name}: ${content}` : content;
  // The same message may come twice.
  const lines = [...(before?.lines ?? []).filter((line) => line.id !== id), { id, text }].slice(-MAX_LINES);
  const ids = [...(before?.ids ?? []).filter((one) => one !== id), id].slice(-MAX_IDS);
  const place = `#${payload.channel_name ?? ''} > ${payload.topic || words['worker.general']}`;
  const title = isChannel ? place : sender_full_name;
  const data = { user, title, url, lines, ids, answer: answerTo(payload) };
  return noteOf(data, conversation, {
    // Nobody is disturbed twice by one message.
    ...(before?.ids.includes(id) ? { silent: true } : { renotify: true }),
    timestamp: payload.time * 1000,
    ...(payload.sender_avatar_url !== undefined && { icon: payload.sender_avatar_url }),
  });
}

/** What is left of a notification without some messages; undefined when nothing is. Nobody is disturbed by it. */
export function noteWithout(data: NoteData, gone: ReadonlySet<number>, tag: string): Note | 'same' | undefined {
  const ids = data.ids.filter((id) => !gone.has(id));
  if (ids.length === data.ids.length) return 'same';
  if (ids.length === 0) return undefined;
  const lines = data.lines.filter(({ id }) => !gone.has(id));
  return noteOf({ ...data, ids, lines }, tag, { silent: true });
}

/** Under what the notification of a conversation is found: people who share a browser have their own. */
export function tagOf(user: number, conversation: string): string {
  return conversation.startsWith(`${user}/`) ? conversation : `${user}/${conversation}`;
}

function noteOf(data: NoteData, conversation: string, more: NotificationOptions): Note {
  const { title, ids, lines, user, answer } = data;
  return {
    title: ids.length > 1 ? `${title} (${ids.length})` : title,
    options: {
      ...more,
      body: lines.map(({ text }) => text).join('\n'),
      tag: tagOf(user, conversation),
      data,
      actions: [
        ...(answer ? [{ action: 'reply', type: 'text' as const, title: words['worker.reply'] }] : []),
        { action: 'read', title: words['worker.read'] },
      ],
    },
  };
}

/** The parameters of an answer in the same conversation; undefined where the payload was too long to name it. */
function answerTo({ recipient_type, channel_id, topic, recipient_user_ids }: MessagePayload) {
  if (recipient_type === 'channel' && channel_id !== undefined)
    return { type: 'channel', to: String(channel_id), topic: topic ?? '' };
  return recipient_user_ids && { type: 'direct', to: JSON.stringify(recipient_user_ids) };
}

/** What a notification knows, when it is one of ours. */
export function dataOf(value: unknown): NoteData | undefined {
  return isNoteData(value) ? value : undefined;
}

function isNoteData(value: unknown): value is NoteData {
  return typeof value === 'object' && value !== null && 'ids' in value && 'lines' in value && 'user' in value;
}
