import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog, logBatch } from '#kernel/events';
import type { ChannelId, MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { listSubscriptionsOf } from '#features/channels';
import {
  accessHeads,
  findHeads,
  InvalidMessage,
  type MessageHead,
  messagesRead,
  receivedAmong,
} from '../core/index.ts';
import { type Amounts, type Anchor, assertAnchorAtEnd, clamped, findAround } from '../finding/index.ts';
import { resolveNarrow, type Term } from '../narrow/index.ts';
import { deleteFlags, flagMessages, flagsByMessage, readBy, setRead, setUnread } from '../reading/index.ts';
import { unreadDetails } from './details.ts';
import { flagsAdded, flagsRemoved } from './events.ts';
import type { EditableFlag, FlagOperation } from './rules.ts';

/** A change of a flag. */
export interface FlagChange {
  readonly op: FlagOperation;
  readonly flag: EditableFlag;
}

/** Result of a change of flags. */
interface Changed {
  readonly ids: readonly MessageId[];
  /** Channels whose messages were left unchanged: nobody has unread messages in a channel without being subscribed. */
  readonly ignored: readonly ChannelId[];
}

/** Changes a flag of messages named by ID. See protocol/flags#changing. */
export function updateFlags(
  context: Context,
  actor: Actor,
  ids: readonly MessageId[],
  change: FlagChange,
): Promise<Changed> {
  return context.store.as(actor).write((tx) => changeFlags(context, tx, ids, change), logBatch(actor.realmId));
}

/** Changes a flag of the messages of a narrow. See protocol/flags#by-narrow. */
export async function updateFlagsIn(
  context: Context,
  actor: Actor,
  { terms, anchor, amounts }: { terms: readonly Term[]; anchor: Anchor; amounts: Amounts },
  change: FlagChange,
) {
  assertAnchorAtEnd(amounts);
  // Finding the messages may take long, so it happens before the write transaction.
  const found = await context.store.as(actor).read(async (tx) => {
    const narrow = await resolveNarrow(tx, terms, actor.realm.host);
    return findAround(tx, narrow, anchor, clamped(amounts));
  });
  return context.store.as(actor).write(async (tx) => {
    // Some messages may have been deleted or closed to the actor since.
    const left = await accessHeads(tx, found.ids);
    const ids = left.map((row) => row.id);
    return { found, changed: await changeFlags(context, tx, ids, change) };
  }, logBatch(actor.realmId));
}

async function changeFlags(
  context: Context,
  tx: ActorWriteTx,
  ids: readonly MessageId[],
  change: FlagChange,
): Promise<Changed> {
  await lockLog(tx);
  const { flag, op } = change;
  if (flag === 'read') return op === 'add' ? addRead(context, tx, ids) : removeRead(tx, ids);
  const changed = op === 'add' ? await addMark(tx, ids, flag) : await removeMark(tx, ids, flag);
  emitChange(tx, change, changed);
  return { ids: changed, ignored: [] };
}

function emitChange(tx: ActorWriteTx, { flag, op }: FlagChange, messages: readonly MessageId[]): void {
  const audience = { users: [tx.actor.userId] };
  if (op === 'add') tx.emit(flagsAdded({ operation: op, flag, messages: [...messages], all: false }, { audience }));
  else tx.emit(flagsRemoved({ operation: op, flag, messages: [...messages], all: false }, { audience }));
}

/** Marks messages read; skips unknown messages and messages that were never received. */
async function addRead(context: Context, tx: ActorWriteTx, ids: readonly MessageId[]): Promise<Changed> {
  const { actor } = tx;
  const received = await receivedAmong(tx, ids);
  const rows = (await findHeads(tx, ids)).filter((row) => received.has(row.id));
  const read = (await readBy(tx, [actor.userId], rows)).get(actor.userId);
  const changed = rows.filter((row) => !read?.has(row.id)).map((row) => row.id);
  await setRead(tx, changed);
  emitChange(tx, { op: 'add', flag: 'read' }, changed);
  await messagesRead.send(tx, { read: new Map([[actor.userId, changed]]) }, context);
  return { ids: changed, ignored: [] };
}

async function removeRead(tx: ActorWriteTx, ids: readonly MessageId[]): Promise<Changed> {
  const { actor } = tx;
  const rows = await accessAll(tx, ids);
  const channelIds = [...new Set(rows.flatMap((row) => row.channel_id ?? []))];
  const subscriptions = await listSubscriptionsOf(tx, [actor.userId], channelIds);
  const subscribed = new Set(
    subscriptions.filter((subscription) => subscription.is_subscribed).map((subscription) => subscription.channel_id),
  );
  const own = rows.filter((row) => row.channel_id === null || subscribed.has(row.channel_id));
  await addToHistory(tx, own);
  const read = (await readBy(tx, [actor.userId], own)).get(actor.userId);
  const changed = own.filter((row) => read?.has(row.id));
  await setUnread(tx, changed);
  const message_details = await unreadDetails(tx, changed);
  const messages = changed.map((row) => row.id);
  tx.emit(
    flagsRemoved(
      { operation: 'remove', flag: 'read', messages, all: false, message_details },
      { audience: { users: [actor.userId] } },
    ),
  );
  return { ids: messages, ignored: channelIds.filter((id) => !subscribed.has(id)).toSorted((a, b) => a - b) };
}

async function addMark(
  tx: ActorWriteTx,
  ids: readonly MessageId[],
  flag: 'starred' | 'collapsed',
): Promise<readonly MessageId[]> {
  const rows = await accessAll(tx, ids);
  await addToHistory(tx, rows);
  const stored = await flagsByMessage(tx, ids);
  const changed = rows.filter((row) => !stored.get(row.id)?.has(flag)).map((row) => row.id);
  await flagMessages(tx, flag, changed);
  return changed;
}

async function removeMark(
  tx: ActorWriteTx,
  ids: readonly MessageId[],
  flag: 'starred' | 'collapsed',
): Promise<readonly MessageId[]> {
  const stored = await flagsByMessage(tx, ids);
  const changed = [...stored].filter(([, flags]) => flags.has(flag)).map(([id]) => id);
  await deleteFlags(tx, flag, changed);
  return changed.toSorted((a, b) => a - b);
}

/** Returns the messages; throws unless the actor may read every one. */
async function accessAll(tx: ActorWriteTx, ids: readonly MessageId[]): Promise<readonly MessageHead[]> {
  const rows = await accessHeads(tx, ids);
  if (rows.length < new Set(ids).size) throw InvalidMessage();
  return rows;
}

/** Adds messages that the actor never received to their history, as read. See protocol/flags#changing. */
async function addToHistory(tx: ActorWriteTx, rows: readonly MessageHead[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  const received = await receivedAmong(tx, ids);
  const missing = ids.filter((id) => !received.has(id));
  await flagMessages(tx, 'historical', missing);
  await setRead(tx, missing);
}
