import { findChannels, hasSharedHistory, mayRead, type Standing } from '#features/channels';
import { participantsOf } from '#features/recipients';
import type { ReadableMessages } from '#features/uploads';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { ChannelId, MessageId, RealmId, UserId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';
import { InvalidMessage } from './errors.ts';
import { usersWithFlags } from './flags/queries.ts';
import { conversationOf, findMessages, receivedAmong } from './queries.ts';
import { standingsIn } from './standings.ts';
import type { MessageRow } from './tables.ts';

/** A message the actor may read; "Invalid message(s)" for all others alike. A null actor is a spectator. */
export async function accessMessage(
  tx: ReadTx,
  realm: RealmRef,
  actor: Actor | null,
  id: MessageId,
): Promise<MessageRow> {
  const [row] = await accessMessages(tx, realm, actor, [id]);
  if (!row) throw InvalidMessage();
  return row;
}

/** Those of the messages that the actor may read, ascending. Protected history counts. Contract surrounding 4.3. */
export async function accessMessages(
  tx: ReadTx,
  realm: RealmRef,
  actor: Actor | null,
  ids: readonly MessageId[],
): Promise<readonly MessageRow[]> {
  const rows = await findMessages(tx, realm.id, ids);
  const channels = await findChannels(tx, realm.id, [...new Set(rows.flatMap((row) => row.channel_id ?? []))]);
  const standings = await standingsIn(tx, realm, actor, [...channels.values()]);
  const maybe = rows.filter((row) => {
    if (row.channel_id === null) return actor !== null;
    const channel = channels.get(row.channel_id);
    return channel !== undefined && mayRead(channel, standingFor(standings, row.channel_id));
  });
  const isOpen = (row: MessageRow) => {
    const channel = row.channel_id === null ? undefined : channels.get(row.channel_id);
    return channel !== undefined && (hasSharedHistory(channel) || channel.is_web_public);
  };
  const closed = maybe.filter((row) => !isOpen(row)).map((row) => row.id);
  const received = actor ? await receivedAmong(tx, realm.id, actor.userId, closed) : new Set<MessageId>();
  return maybe.filter((row) => isOpen(row) || received.has(row.id));
}

/** Which messages the actor may read, for those who ask without knowing messages. */
export function readerOf(tx: ReadTx, realm: RealmRef, actor: Actor): ReadableMessages {
  return async (ids) => new Set((await accessMessages(tx, realm, actor, ids)).map((row) => row.id));
}

function standingFor(standings: ReadonlyMap<ChannelId, Standing>, id: ChannelId): Standing {
  const standing = standings.get(id);
  if (!standing) throw new Error('a channel was left out');
  return standing;
}

/**
 * Everybody who holds messages of one conversation: participants; in a public channel its subscribers and whoever has
 * received one; in a private one its subscribers, where history is protected only those who received one.
 * Contract register 4.1, RCPT.
 */
export async function holdersOf(tx: ReadTx, realm: RealmRef, rows: readonly MessageRow[]): Promise<Audience> {
  const [first] = rows;
  if (!first) return {};
  if (first.channel_id === null) {
    return { users: await participantsOfMessage(tx, realm.id, first) };
  }
  const channel = (await findChannels(tx, realm.id, [first.channel_id])).get(first.channel_id);
  if (!channel) return {};
  const messages = rows.map((row) => Number(row.id)).toSorted((a, b) => a - b);
  if (!channel.invite_only) {
    const ids = rows.map((row) => row.id);
    const marked = await usersWithFlags(tx, realm.id, ['historical', 'delivered'], ids);
    return {
      users: [...new Set(marked.map((row) => row.user_id))],
      channel: { id: channel.id, messages, received: 'any' },
    };
  }
  if (hasSharedHistory(channel)) return { channel: { id: channel.id, private: true } };
  return { channel: { id: channel.id, private: true, messages, received: 'required' } };
}

/** Everybody in a direct message's conversation. */
export async function participantsOfMessage(
  tx: ReadTx,
  realmId: RealmId,
  { recipient_id }: Pick<MessageRow, 'recipient_id'>,
): Promise<readonly UserId[]> {
  const key = (await conversationOf(tx, realmId, [recipient_id])).get(recipient_id) ?? null;
  return participantsOf({ participants_key: key }) ?? [];
}
