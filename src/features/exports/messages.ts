import { allRowsOf, type RealmReadTx, rowsOf, rowsWith, type WholeRow } from '#kernel/store';
import type { Recipients } from './recipients.ts';
import { groupedBy, type Scope } from './scope.ts';

/** The bits of a message's flags for one user, as the format has them. */
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

export type Message = WholeRow<'message'>;

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

/** Messages of one file of the export, and characters of their texts from which on a file is full. */
const FILE = 1000;
const FILE_CHARACTERS = 8_000_000;
/** Messages that are read at once: each may have a megabyte of earlier versions. */
const AT_ONCE = 10;

/** Yields the messages of the export, oldest first, a file's worth at a time. */
export async function* messagesOf(tx: RealmReadTx, scope: Scope): AsyncGenerator<readonly Message[]> {
  let [chosen, characters]: [Message[], number] = [[], 0];
  for await (const page of rowsOf(tx, 'message', AT_ONCE))
    for (const row of page.filter(scope.hasMessage)) {
      chosen.push(row);
      characters += charactersOf(row);
      if (chosen.length < FILE && characters < FILE_CHARACTERS) continue;
      yield chosen;
      [chosen, characters] = [[], 0];
    }
  if (chosen.length > 0) yield chosen;
}

function charactersOf({ content, rendered_content, edit_history }: Message): number {
  const former = edit_history ?? [];
  return former.reduce(
    (sum, { prev_content = '', prev_rendered_content: html = '' }) => sum + prev_content.length + html.length,
    content.length + rendered_content.length,
  );
}

/** Messages in the format, as bytes of JSON: bytes stay out of the memory that garbage collection scans. */
export function messageBytes(page: readonly Message[], recipients: Recipients, clients: Clients): Uint8Array {
  return Buffer.from(page.map((row) => `,\n${JSON.stringify(toMessage(row, recipients, clients))}`).join(''));
}

function toMessage(row: Message, recipients: Recipients, clients: Clients): object {
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
    edit_history: row.edit_history === null ? null : JSON.stringify(row.edit_history),
    has_attachment: row.has_attachment,
    has_image: row.has_image,
    has_link: row.has_link,
  };
}

/** What the format has no members for, of messages that have any of it. */
export function besideMessages(
  page: readonly Message[],
  groups: ReadonlyMap<number, readonly number[]>,
): readonly object[] {
  return page.flatMap(({ id, last_moved_at }) => {
    const mentioned_groups = groups.get(id) ?? [];
    if (last_moved_at === null && mentioned_groups.length === 0) return [];
    return [{ id, last_moved_time: last_moved_at, mentioned_groups }];
  });
}

type Flag = WholeRow<'message_flag'>;

/** Flags of some messages, by message; whoever received one by a delivery has the flag that says so. */
export async function flagsOf(
  tx: RealmReadTx,
  page: readonly Pick<Message, 'id' | 'delivery_id'>[],
): Promise<ReadonlyMap<number, readonly Flag[]>> {
  const ids = page.map(({ id }) => Number(id));
  const flags = await rowsWith(tx, 'message_flag', 'message_id', ids);
  const moved = [...new Set(page.flatMap(({ delivery_id }) => delivery_id ?? []))];
  const deliveries = groupedBy(await rowsWith(tx, 'delivered_user', 'delivery_id', moved), (row) => row.delivery_id);
  const delivered = page.flatMap(({ id, delivery_id }) =>
    (delivery_id === null ? [] : (deliveries.get(delivery_id) ?? []))
      .filter(({ first_id, last_id }) => first_id <= id && id <= last_id)
      .map(({ realm_id, user_id }): Flag => ({ realm_id, user_id, flag: 'delivered', message_id: id })),
  );
  return groupedBy([...flags, ...delivered], (row) => row.message_id);
}

/** Reactions to messages of the export. */
export async function* reactionsOf(
  tx: RealmReadTx,
  isIn: (messageId: number) => boolean,
): AsyncGenerator<readonly object[]> {
  for await (const page of rowsOf(tx, 'reaction'))
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
  tx: RealmReadTx,
  isIn: (messageId: number) => boolean,
): AsyncGenerator<readonly object[]> {
  for await (const page of rowsOf(tx, 'submessage'))
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
  tx: RealmReadTx,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await rowsWith(tx, 'message_group_mention', 'message_id', ids);
  return new Map(
    [...groupedBy(rows, (row) => row.message_id)].map(([id, own]) => [id, own.map((row) => row.group_id)]),
  );
}

/** Which messages use a file. */
export async function usesByFile(tx: RealmReadTx, scope: Scope, isIn: (messageId: number) => boolean) {
  const uses = (await allRowsOf(tx, 'attachment_use')).filter((row) => isIn(row.message_id));
  return groupedBy(uses, (row) => row.attachment_id);
}
