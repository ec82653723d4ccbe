import type { MessagePayload } from './payload.ts';
import { words } from './words.ts';

/** Most messages of a conversation that its notification shows. */
const MAX_LINES = 4;
/** Most message IDs that a notification stores, to mark them read. */
const MAX_IDS = 500;

/** The data stored in the notification of a conversation. */
export interface NoteData {
  readonly user: number;
  readonly title: string;
  readonly url: string;
  readonly lines: readonly { readonly id: number; readonly text: string }[];
  readonly ids: readonly number[];
  /** Parameters for sending a reply. */
  readonly answer: Readonly<Record<string, string>> | undefined;
}

/** The arguments for showing a notification. */
export interface Note {
  readonly title: string;
  readonly options: NotificationOptions & { readonly data: NoteData };
}

/** Returns the notification of a conversation with one more message. */
export function noteWith(payload: MessagePayload, before: NoteData | undefined): Note {
  const { message_id: id, sender_full_name, content, user_id: user, url, conversation } = payload;
  const isChannel = payload.recipient_type === 'channel';
  const isGroup = (payload.recipient_user_ids?.length ?? 0) > 2;
  const text = isChannel || isGroup ? `${sender_full_name}: ${content}` : content;
  // The same message may be pushed twice.
  const lines = [...(before?.lines ?? []).filter((line) => line.id !== id), { id, text }].slice(-MAX_LINES);
  const ids = [...(before?.ids ?? []).filter((one) => one !== id), id].slice(-MAX_IDS);
  const place = `#${payload.channel_name ?? ''} > ${payload.topic || words['worker.general']}`;
  const title = isChannel ? place : sender_full_name;
  const data = { user, title, url, lines, ids, answer: answerTo(payload) };
  return noteOf(data, conversation, {
    // The same message makes no sound twice.
    ...(before?.ids.includes(id) ? { silent: true } : { renotify: true }),
    timestamp: payload.time * 1000,
    ...(payload.sender_avatar_url !== undefined && { icon: payload.sender_avatar_url }),
  });
}

/** Returns the notification without some messages, silent; undefined when none is left. */
export function noteWithout(data: NoteData, gone: ReadonlySet<number>, tag: string): Note | 'same' | undefined {
  const ids = data.ids.filter((id) => !gone.has(id));
  if (ids.length === data.ids.length) return 'same';
  if (ids.length === 0) return undefined;
  const lines = data.lines.filter(({ id }) => !gone.has(id));
  return noteOf({ ...data, ids, lines }, tag, { silent: true });
}

/** Returns the tag of a conversation's notification, which differs between accounts of the same browser. */
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

/**
 * Parameters for a reply in the same conversation; undefined where the payload was too long to include its recipients.
 */
function answerTo({ recipient_type, channel_id, topic, recipient_user_ids }: MessagePayload) {
  if (recipient_type === 'channel' && channel_id !== undefined)
    return { type: 'channel', to: String(channel_id), topic: topic ?? '' };
  return recipient_user_ids && { type: 'direct', to: JSON.stringify(recipient_user_ids) };
}

/** Returns the data of a notification that this client made, else undefined. */
export function dataOf(value: unknown): NoteData | undefined {
  return isNoteData(value) ? value : undefined;
}

function isNoteData(value: unknown): value is NoteData {
  return typeof value === 'object' && value !== null && 'ids' in value && 'lines' in value && 'user' in value;
}
