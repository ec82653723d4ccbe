import type { RealmRefReadTx } from '#kernel/auth';
import { findChannels } from '#features/channels';
import { participantsOf } from '#features/recipients';
import { findUsers } from '#features/users';
import type { MessageId } from '#kernel/ids';
import { type RealmReadTx, together } from '#kernel/store';
import {
  conversationOf,
  type MessageRow,
  type WireRecipient,
  reactionsTo,
  submessagesOf,
  toFullMessage,
} from '../core/index.ts';
import type { FullMessage } from '../wire.ts';

/** What to read with messages: without additions, that is reactions and parts of widgets, for one that has very many. */
interface Reading {
  readonly host: string;
  readonly withAdditions?: boolean;
}

/** Builds the full forms of messages; reads what belongs to them for all at once. */
export async function toFullMessages(
  tx: RealmRefReadTx,
  rows: readonly MessageRow[],
  { host, withAdditions = true }: Reading,
): Promise<readonly FullMessage[]> {
  if (rows.length === 0) return [];
  const ids = withAdditions ? rows.map((row) => row.id) : [];
  const [places, parts, answers] = await together([placesOf(tx, rows), submessagesOf(tx, ids), reactionsTo(tx, ids)]);
  const people = [...places.values()].flatMap((place) => ('people' in place ? place.people : []));
  const reactors = [...answers.values()].flat().map((reaction) => reaction.user_id);
  const senders = rows.map((row) => row.sender_id);
  const users = await findUsers(tx, [...new Set([...people, ...senders, ...reactors])]);
  return rows.flatMap((row) => {
    const sender = users.get(row.sender_id);
    const place = places.get(row.id);
    if (!sender || !place) return [];
    const seen: WireRecipient =
      'people' in place ? { people: place.people.flatMap((id) => users.get(id) ?? []) } : { channel: place.channel };
    const submessages = parts.get(row.id) ?? [];
    const reactions = (answers.get(row.id) ?? []).flatMap((reaction) => {
      const user = users.get(reaction.user_id);
      return user ? [{ reaction, user }] : [];
    });
    return [toFullMessage({ row, sender, place: seen, realm: tx.realm, host, submessages, reactions })];
  });
}

/** The channel or the people of each message. */
async function placesOf(tx: RealmReadTx, rows: readonly MessageRow[]) {
  const channels = await findChannels(tx, [...new Set(rows.flatMap((row) => row.channel_id ?? []))]);
  const direct = rows.filter((row) => row.channel_id === null).map((row) => row.recipient_id);
  const conversations = await conversationOf(tx, [...new Set(direct)]);
  const places = new Map<
    MessageId,
    | { readonly channel: { readonly id: NonNullable<MessageRow['channel_id']>; readonly name: string } }
    | { readonly people: NonNullable<ReturnType<typeof participantsOf>> }
  >();
  for (const row of rows) {
    const channel = row.channel_id === null ? undefined : channels.get(row.channel_id);
    if (channel) places.set(row.id, { channel });
    else if (row.channel_id === null)
      places.set(row.id, {
        people: participantsOf({ participants_key: conversations.get(row.recipient_id) ?? '' }) ?? [],
      });
  }
  return places;
}
