import { FLAGS as Flag } from '#features/exports';
import { insertIntoIndex, type MessageRow, type StoredFlag } from '#features/messages';
import { asId, type RecipientId, type UserId } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import { freshIds, inChunks, insertWhole, type RealmWriteTx, type WholeRow } from '#kernel/store';
import type { SubscriptionPeriod } from '../channels.ts';
import { unique } from '../groups.ts';
import { type Gathered, note } from './gathered.ts';
import type { Filling, PreparedMessages } from './prepare.ts';

/** The bits of what a message is to somebody that are stored one by one. */
const FLAGS: readonly (readonly [number, StoredFlag])[] = [
  [Flag.starred, 'starred'],
  [Flag.collapsed, 'collapsed'],
  [Flag.mentioned, 'mentioned'],
  [Flag.topic_wildcard_mentioned, 'topic_wildcard_mentioned'],
  [Flag.has_alert_word, 'has_alert_word'],
  [Flag.historical, 'historical'],
];

/** All these bits. */
const ANY = FLAGS.reduce((sum, [bit]) => sum | bit, 0);

/** Stores messages with the flags of their recipients. */
export async function storeMessages(
  tx: RealmWriteTx,
  { plan, users, periods }: Filling,
  gathered: Gathered,
  { messages, userMessages }: PreparedMessages,
): Promise<readonly MessageRow[]> {
  const rows: MessageRow[] = [];
  for (const { row, people, place, group } of messages) {
    const recipient_id = place?.recipient ?? (await gathered.conversation(tx, people ?? [], group));
    rows.push({ ...row, recipient_id, channel_id: place?.channel ?? null });
  }
  await insertWhole(tx, 'message', rows);
  await insertIntoIndex(tx, rows);
  await insertWhole(
    tx,
    'message_group_mention',
    messages.flatMap(({ row, groups }) =>
      groups.map((group_id) => ({ realm_id: plan.realmId, message_id: row.id, group_id: asId(group_id) })),
    ),
  );
  for (const row of rows) note(gathered, row);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const flags: WholeRow<'message_flag'>[] = [];
  for (const entry of userMessages) {
    const message = byId.get(plan.messages.of(entry.idOrNull('message')) ?? asId(0));
    const user = plan.users.of(entry.idOrNull('user_profile'));
    if (!message || user === undefined || !users.has(user)) continue;
    const mask = entry.int('flags_mask', entry.int('flags', Flag.read));
    if ((mask & Flag.read) === 0) {
      const key = `${user} ${message.recipient_id}`;
      const known = gathered.unread.get(key);
      if (known) known.push(message.id);
      else gathered.unread.set(key, [message.id]);
    }
    const isOutside =
      message.channel_id !== null && (mask & Flag.historical) === 0 && !wasThere(periods, user, message);
    // Most rows say no more than that somebody has read it: there are a hundred of them for each message.
    if (!isOutside && (mask & ANY) === 0) continue;
    const named = FLAGS.filter(([bit]) => (mask & bit) !== 0).map(([, flag]) => flag);
    for (const flag of isOutside ? [...named, 'delivered' as const] : named)
      flags.push({ realm_id: plan.realmId, user_id: user, flag, message_id: message.id });
  }
  await insertWhole(tx, 'message_flag', unique(flags));
  return rows;
}

function wasThere(periods: Filling['periods'], user: UserId, { id, channel_id }: MessageRow): boolean {
  const own = byChannel(periods).get(Number(channel_id))?.get(user) ?? [];
  return own.some(({ after, until }) => after < id && (until === null || id <= until));
}

/** Who was in a channel when, by the channel and the person. */
const byChannel = onceFor((periods: Filling['periods']) => {
  const channels = new Map<number, Map<number, readonly SubscriptionPeriod[]>>();
  for (const [key, own] of periods) {
    const [user = 0, channel = 0] = key.split(' ').map(Number);
    const people = channels.get(channel) ?? new Map<number, readonly SubscriptionPeriod[]>();
    channels.set(channel, people.set(user, own));
  }
  return channels;
});

/** Stores who has read what: everything but what is unread, up to the newest message. */
export async function importReading(
  tx: RealmWriteTx,
  gathered: Gathered,
  readers: Iterable<readonly [user: UserId, conversation: RecipientId]>,
): Promise<void> {
  const { realmId: realm_id } = tx;
  const rows: Omit<WholeRow<'read_interval'>, 'id'>[] = [];
  for (const [user_id, recipient_id] of readers) {
    const newest = gathered.newest.get(recipient_id);
    if (newest === undefined) continue;
    let first_id = 1;
    for (const id of (gathered.unread.get(`${user_id} ${recipient_id}`) ?? []).toSorted((a, b) => a - b)) {
      if (id > first_id) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: id - 1 });
      first_id = id + 1;
    }
    if (first_id <= newest) rows.push({ realm_id, user_id, recipient_id, first_id, last_id: newest });
  }
  for (const chunk of inChunks(rows, 1000)) {
    const ids = await freshIds(tx, 'read_interval', chunk.length);
    await insertWhole(
      tx,
      'read_interval',
      chunk.map((row, index) => ({ id: ids[index] ?? 0, ...row })),
    );
  }
}
