import { accessMessages, findMessages, historyPolicy, type MessageRow, visibleEdits } from '#features/messages';
import { findChannels } from '#features/channels';
import { findUsers } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { MessageId, UserId } from '#kernel/ids';
import { actingAs, type RealmReadTx } from '#kernel/store';
import { conversationsOf, messagePagesAfter, type Whose } from './queries.ts';

/** A message in the archive. */
export interface PersonalMessage {
  readonly id: MessageId;
  /** Seconds since 1970. */
  readonly sent_at: number;
  readonly sender_id: UserId;
  readonly sender: string;
  /** The place it was sent to, for people. */
  readonly place: string;
  readonly channel_id: number | null;
  readonly topic: string;
  readonly participants: readonly UserId[];
  readonly content: string;
  readonly rendered_content: string;
  readonly edit_history: unknown;
}

/** A person of an organization. */
export interface Person {
  readonly realm: RealmRef;
  readonly actor: Actor;
  /** Whether the operator asks, who also gets messages that the person wrote and may no longer read. */
  readonly isWhole?: boolean;
}

/**
 * Yields pages of the messages that somebody wrote in channels, as far as they may still read them, and of all their
 * direct messages. Each page is a read of its own, so that a slow download locks nothing.
 */
export async function* personalMessages(
  { store }: Pick<Context, 'store'>,
  person: Person,
): AsyncGenerator<readonly PersonalMessage[]> {
  const { realm, actor } = person;
  yield* pagesOf(store, person, { senderId: actor.userId }, []);
  for (const [recipientId, people] of await store.in(realm).query((tx) => conversationsOf(tx, actor.userId)))
    yield* pagesOf(store, person, { recipientId }, people);
}

async function* pagesOf(
  store: Context['store'],
  person: Person,
  whose: Whose,
  people: readonly UserId[],
): AsyncGenerator<readonly PersonalMessage[]> {
  for (let after = 0; ; ) {
    const { pages, last } = await store.in(person.realm).query((tx) => messagePagesAfter(tx, whose, after));
    for (const ids of pages) {
      const messages = await store.in(person.realm).read((tx) => toPersonal(tx, person, ids, people));
      if (messages.length > 0) yield messages;
    }
    if (last === undefined) return;
    after = last;
  }
}

async function toPersonal(
  tx: RealmReadTx,
  { actor, isWhole = false }: Person,
  ids: readonly MessageId[],
  participants: readonly UserId[],
): Promise<readonly PersonalMessage[]> {
  const rows = isWhole ? await findMessages(tx, ids) : await accessMessages(actingAs(tx, actor), ids);
  const channels = await findChannels(tx, [...new Set(rows.flatMap((row) => row.channel_id ?? []))]);
  const policy = await historyPolicy(tx, rows);
  const users = await findUsers(tx, [...new Set([...rows.map((row) => row.sender_id), ...participants])]);
  const nameOf = (id: UserId) => users.get(id)?.full_name ?? '';
  const others = participants.filter((id) => id !== actor.userId);
  const people = (others.length === 0 ? participants : others).map(nameOf).join(', ');
  const placeOf = (row: MessageRow) =>
    row.channel_id === null
      ? `direct messages with ${people}`
      : `#${channels.get(row.channel_id)?.name ?? ''}${row.topic === '' ? '' : ` > ${row.topic}`}`;
  // What others wrote before is shown to its readers as far as the organization shows it.
  const editsOf = ({ sender_id, edit_history }: MessageRow) =>
    edit_history && (sender_id === actor.userId ? edit_history : visibleEdits(edit_history, policy));
  return rows.map((row) => ({
    id: row.id,
    sent_at: row.sent_at,
    sender_id: row.sender_id,
    sender: nameOf(row.sender_id),
    place: placeOf(row),
    channel_id: row.channel_id,
    topic: row.topic,
    participants,
    content: row.content,
    rendered_content: row.rendered_content,
    edit_history: editsOf(row),
  }));
}
