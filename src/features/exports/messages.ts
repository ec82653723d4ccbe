import { allRowsOf, type ReadTx, rowsOf, rowsWith, type WholeRow } from '#kernel/store';
import type { Recipients } from './recipients.ts';
import { groupedBy, holds, type Scope } from './scope.ts';

/** The bits of what a message is to somebody, as the format has them. */
export const FLAGS = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  stream_wildcard_mentioned: 16,
  topic_wildcard_mentioned: 32,
  group_mentioned: 64,
  has_alert_word: 512,
  historical: 1024,
  is_private: 2048,
} as const;

type Message = WholeRow<'message'>;

/** What is needed of everybody's reading; some numbers for each person and conversation. */
export interface Reading {
  readonly intervals: ReadonlyMap<string, readonly (readonly [first: number, last: number])[]>;
}

export async function readReading(tx: ReadTx, realmId: number): Promise<Reading> {
  const intervals = new Map<string, (readonly [number, number])[]>();
  for await (const page of rowsOf(tx, 'read_interval', realmId))
    for (const { user_id, recipient_id, first_id, last_id } of page) {
      const key = `${user_id} ${recipient_id}`;
      const known = intervals.get(key);
      if (known) known.push([first_id, last_id]);
      else intervals.set(key, [[first_id, last_id]]);
    }
  for (const list of intervals.values()) list.sort(([a], [b]) => a - b);
  return { intervals };
}

/** Names of programs by the numbers that the format gives them. */
export class Clients {
  readonly #ids = new Map<string, number>();

  idOf(name: string): number {
    const known = this.#ids.get(name) ?? this.#ids.size + 1;
    this.#ids.set(name, known);
    return known;
  }

  get list(): readonly object[] {
    return [...this.#ids].map(([name, id]) => ({ id, name }));
  }
}

/** Messages of the export, oldest first, a page at a time. */
export async function* messagesOf(tx: ReadTx, scope: Scope): AsyncGenerator<readonly Message[]> {
  for await (const page of rowsOf(tx, 'message', scope.realmId)) {
    const chosen = page.filter(scope.hasMessage);
    if (chosen.length > 0) yield chosen;
  }
}

export function toMessage(row: Message, recipients: Recipients, clients: Clients, groups: readonly number[]): object {
  return {
    id: row.id,
    realm: row.realm_id,
    sender: row.sender_id,
    recipient: recipients.of(row.recipient_id, row.sender_id),
    is_channel_message: row.channel_id !== null,
    subject: row.topic,
    content: row.content,
    rendered_content: row.rendered_content,
    rendered_content_version: 1,
    date_sent: row.sent_at,
    sending_client: clients.idOf(row.client),
    last_edit_time: row.last_edit_at,
    last_moved_time: row.last_moved_at,
    edit_history: row.edit_history === null ? null : JSON.stringify(row.edit_history),
    has_attachment: row.has_attachment,
    has_image: row.has_image,
    has_link: row.has_link,
    mentioned_groups: groups,
  };
}

/** Who has some messages, and what they are to each. */
export async function* userMessages(
  tx: ReadTx,
  scope: Scope,
  reading: Reading,
  page: readonly Message[],
  newId: () => number,
): AsyncGenerator<readonly object[]> {
  const ids = page.map(({ id }) => Number(id));
  const flags = groupedBy(
    await rowsWith(tx, 'message_flag', scope.realmId, 'message_id', ids),
    (row) => row.message_id,
  );
  for (const message of page) {
    const marked = groupedBy(flags.get(message.id) ?? [], (row) => row.user_id);
    const holders = new Set([...receivers(scope, message), ...holdersByFlag(marked)]);
    yield [...holders].filter(scope.hasPrivate).map((user) => {
      const own = (marked.get(user) ?? []).map(({ flag }) => flag);
      return {
        id: newId(),
        user_profile: user,
        message: message.id,
        flags_mask: maskOf(message, own, isRead(reading, user, message)),
      };
    });
  }
}

function receivers({ conversations, periods }: Scope, { id, channel_id, recipient_id }: Message): readonly number[] {
  if (channel_id === null) return conversations.get(recipient_id) ?? [];
  return (periods.get(channel_id) ?? []).filter((stay) => holds(stay, id)).map((stay) => stay.user_id);
}

/** Those who never received a message, but have it all the same. */
function holdersByFlag(marked: ReadonlyMap<number, readonly WholeRow<'message_flag'>[]>): readonly number[] {
  return [...marked]
    .filter(([, rows]) => rows.some(({ flag }) => flag === 'historical' || flag === 'delivered'))
    .map(([user]) => user);
}

function maskOf(message: Message, own: readonly string[], read: boolean): number {
  const names = Object.entries(FLAGS).filter(([name]) => own.includes(name));
  let mask = names.reduce((sum, [, bit]) => sum | bit, 0);
  if (read) mask |= FLAGS.read;
  if (message.mentions_channel) mask |= FLAGS.stream_wildcard_mentioned;
  if (message.channel_id === null) mask |= FLAGS.is_private;
  return mask;
}

function isRead({ intervals }: Reading, user: number, { id, recipient_id }: Message): boolean {
  return (intervals.get(`${user} ${recipient_id}`) ?? []).some(([first, last]) => first <= id && id <= last);
}

/** Reactions to messages of the export. */
export async function* reactionsOf(
  tx: ReadTx,
  { realmId }: Scope,
  isIn: (messageId: number) => boolean,
): AsyncGenerator<readonly object[]> {
  for await (const page of rowsOf(tx, 'reaction', realmId))
    yield page
      .filter((row) => isIn(row.message_id))
      .map(({ user_id, message_id, ...row }) => ({
        ...row,
        realm_id: undefined,
        user_profile: user_id,
        message: message_id,
      }));
}

/** Parts of widgets of messages of the export. */
export async function* submessagesOf(
  tx: ReadTx,
  { realmId }: Scope,
  isIn: (messageId: number) => boolean,
): AsyncGenerator<readonly object[]> {
  for await (const page of rowsOf(tx, 'submessage', realmId))
    yield page
      .filter((row) => isIn(row.message_id))
      .map(({ sender_id, message_id, ...row }) => ({
        ...row,
        realm_id: undefined,
        sender: sender_id,
        message: message_id,
      }));
}

/** The groups that messages mention. */
export async function mentionedGroups(
  tx: ReadTx,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await rowsWith(tx, 'message_group_mention', scope.realmId, 'message_id', ids);
  return new Map(
    [...groupedBy(rows, (row) => row.message_id)].map(([id, own]) => [id, own.map((row) => row.group_id)]),
  );
}

/** Which messages use a file. */
export async function usesByFile(tx: ReadTx, scope: Scope, isIn: (messageId: number) => boolean) {
  const uses = (await allRowsOf(tx, 'attachment_use', scope.realmId)).filter((row) => isIn(row.message_id));
  return groupedBy(uses, (row) => row.attachment_id);
}
