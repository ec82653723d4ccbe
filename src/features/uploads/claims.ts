import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { dropAttachments } from './actions.ts';
import { announceAttachments } from './announce.ts';
import { findAttachmentsByPath, lockAttachments, setUnusedSince } from './queries.ts';
import type { AttachmentId, AttachmentRow } from './tables.ts';
import { deleteUses, insertUses, shareOf, usedAmong, usedBy, usesOf } from './uses/queries.ts';

/** Most messages that are looked at to find out whether somebody may open files, twice; see `usedInReadable`. */
const LOOKED_AT = { each: 1000, inAll: 1000 };

/** Result of a message's claim. */
export interface Claimed {
  /** Whether the message uses any file. */
  readonly hasAny: boolean;
  /** The author's own files that nothing uses any more. See protocol/editing#checks. */
  readonly detached: readonly AttachmentRow[];
}

/** A new or edited message, and the paths of the files that its rendering links to. */
interface Linking {
  readonly id: MessageId;
  readonly isNew: boolean;
  readonly pathIds: readonly string[];
}

/** Returns which of the messages somebody may read; the messages slice provides it. */
export type ReadableMessages = (ids: readonly MessageId[]) => Promise<ReadonlySet<MessageId>>;

/**
 * Records that a message of the actor uses the files it links to, as far as the actor owns them or can open them by
 * another message. Files that it no longer links to are released, and kept as unused. See protocol/files#claims.
 */
export async function claimAttachments(
  tx: ActorWriteTx,
  { id: messageId, isNew, pathIds }: Linking,
  readable: ReadableMessages,
): Promise<Claimed> {
  if (isNew && pathIds.length === 0) return { hasAny: false, detached: [] };
  const before = isNew ? [] : await usedBy(tx, [messageId]);
  const linked = await findAttachmentsByPath(tx, pathIds);
  const linkedIds = new Set(linked.map((row) => row.id));
  const lost = before.filter((id) => !linkedIds.has(id));
  const fresh = await lockAttachments(
    tx,
    [...linkedIds].filter((id) => !before.includes(id)),
  );
  const added = await openable(tx, fresh, readable);
  await use(tx, messageId, added);
  const { released, unused } = await releaseUses(tx, messageId, lost);
  const changed = [...added, ...released];
  if (changed.length > 0) await announceAttachments(tx, changed, 'update');
  const hasAny = before.length - lost.length + added.length > 0;
  return { hasAny, detached: unused.filter((row) => row.owner_id === tx.actor.userId) };
}

/**
 * Removes the uses of files by deleted messages; call it in the transaction that deletes them. A file is deleted with
 * the last message that uses it, for everybody at once; its bytes follow within seconds. See protocol/files#claims.
 */
export async function releaseAttachments(tx: RealmWriteTx, messageIds: readonly MessageId[]): Promise<void> {
  const rows = await lockAttachments(tx, await usedBy(tx, messageIds));
  if (rows.length === 0) return;
  await deleteUses(tx, messageIds);
  const { unused, used } = await byUse(tx, rows);
  await dropAttachments(tx, idsOf(unused));
  if (used.length > 0) await announceAttachments(tx, used, 'update');
}

async function use(tx: RealmWriteTx, messageId: MessageId, rows: readonly AttachmentRow[]): Promise<void> {
  await insertUses(tx, messageId, idsOf(rows));
  await setUnusedSince(tx, idsOf(rows), null);
}

/** Removes an edited message's uses of files, and starts the retention period of files that nothing uses any more. */
async function releaseUses(
  tx: RealmWriteTx,
  messageId: MessageId,
  ids: readonly AttachmentId[],
): Promise<{ released: readonly AttachmentRow[]; unused: readonly AttachmentRow[] }> {
  const released = await lockAttachments(tx, ids);
  if (released.length === 0) return { released, unused: [] };
  await deleteUses(tx, [messageId], ids);
  const { unused } = await byUse(tx, released);
  await setUnusedSince(tx, idsOf(unused), tx.now);
  return { released, unused };
}

const idsOf = (rows: readonly AttachmentRow[]): readonly AttachmentId[] => rows.map((row) => row.id);

/** Returns the files that the actor owns, or that are used by a message which the actor may read. */
async function openable(
  tx: ActorReadTx,
  rows: readonly AttachmentRow[],
  readable: ReadableMessages,
): Promise<readonly AttachmentRow[]> {
  const { userId } = tx.actor;
  const foreign = rows.filter((row) => row.owner_id !== userId);
  if (foreign.length === 0) return rows;
  const seen = await usedInReadable(tx, idsOf(foreign), readable);
  return rows.filter((row) => row.owner_id === userId || seen.has(row.id));
}

/**
 * Returns the files that a message uses which somebody may read. Of files that many messages use, the newest and the oldest
 * are looked at: nobody can displace both, and looking at all would take time without end.
 */
export async function usedInReadable(
  tx: RealmReadTx,
  ids: readonly AttachmentId[],
  readable: ReadableMessages,
): Promise<ReadonlySet<AttachmentId>> {
  const open = new Set<AttachmentId>();
  let left = ids;
  for (const from of ['newest', 'oldest'] as const) {
    if (left.length === 0) break;
    const uses = await usesOf(tx, left, { ...LOOKED_AT, from });
    const seen = await readable([...new Set([...uses.values()].flat())]);
    for (const [id, those] of uses) if (those.some((use) => seen.has(use))) open.add(id);
    const most = shareOf(left.length, LOOKED_AT);
    left = left.filter((id) => !open.has(id) && uses.get(id)?.length === most);
  }
  return open;
}

/** Finds the files at some addresses that the actor owns, or can open by a message. */
export async function findOpenable(
  tx: ActorReadTx,
  pathIds: readonly string[],
  readable: ReadableMessages,
): Promise<readonly AttachmentRow[]> {
  const rows = await findAttachmentsByPath(tx, pathIds);
  return rows.length === 0 ? rows : openable(tx, rows, readable);
}

async function byUse(
  tx: RealmWriteTx,
  rows: readonly AttachmentRow[],
): Promise<{ unused: readonly AttachmentRow[]; used: readonly AttachmentRow[] }> {
  const used = await usedAmong(tx, idsOf(rows));
  return { unused: rows.filter((row) => !used.has(row.id)), used: rows.filter((row) => used.has(row.id)) };
}
