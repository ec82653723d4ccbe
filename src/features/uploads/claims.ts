import type { Actor } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { dropAttachments } from './actions.ts';
import { announceAttachments } from './announce.ts';
import {
  deleteUses,
  findAttachmentsByPath,
  insertUses,
  lockAttachments,
  setUnusedSince,
  usedBy,
  usesOf,
} from './queries.ts';
import type { AttachmentId, AttachmentRow } from './tables.ts';

/** What a message's claim came to. */
export interface Claimed {
  /** Whether the message uses any file. */
  readonly hasAny: boolean;
  /** The author's own files that nothing uses any more. See protocol/editing#checks. */
  readonly detached: readonly AttachmentRow[];
}

/** Which of these messages somebody may read; asked of the slice that knows. */
export type ReadableMessages = (ids: readonly MessageId[]) => Promise<ReadonlySet<MessageId>>;

/**
 * Ties a message, new or edited, to the files that its rendering links (`pathIds`): those that the author owns or can open
 * by a message already. Files it no longer links are let go, and kept as unused. See protocol/files#claims.
 */
export async function claimAttachments(
  tx: RealmWriteTx,
  author: Pick<Actor, 'userId'>,
  message: { readonly id: MessageId; readonly isNew: boolean },
  pathIds: readonly string[],
  readable: ReadableMessages,
): Promise<Claimed> {
  if (message.isNew && pathIds.length === 0) return { hasAny: false, detached: [] };
  const before = message.isNew ? [] : await usedBy(tx, [message.id]);
  const linked = await findAttachmentsByPath(tx, pathIds);
  const linkedIds = new Set(linked.map((row) => row.id));
  const lost = before.filter((id) => !linkedIds.has(id));
  const fresh = await lockAttachments(
    tx,
    [...linkedIds].filter((id) => !before.includes(id)),
  );
  const added = await openable(tx, author, fresh, readable);
  await use(tx, message.id, added);
  const { released, unused } = await letGo(tx, message.id, lost);
  const changed = [...added, ...released];
  if (changed.length > 0) await announceAttachments(tx, changed, 'update');
  const hasAny = before.length - lost.length + added.length > 0;
  return { hasAny, detached: unused.filter((row) => row.owner_id === author.userId) };
}

/**
 * Ends what deleted messages used; to be called in their transaction. A file whose last message goes is gone with it, for
 * everybody at once; its bytes follow within seconds. See protocol/files#claims.
 */
export async function releaseAttachments(
  context: Context,
  tx: RealmWriteTx,
  messageIds: readonly MessageId[],
): Promise<void> {
  const rows = await lockAttachments(tx, await usedBy(tx, messageIds));
  if (rows.length === 0) return;
  await deleteUses(tx, messageIds);
  const { unused, used } = await byUse(tx, rows);
  await dropAttachments(context, tx, idsOf(unused));
  if (used.length > 0) await announceAttachments(tx, used, 'update');
}

async function use(tx: RealmWriteTx, messageId: MessageId, rows: readonly AttachmentRow[]): Promise<void> {
  await insertUses(tx, messageId, idsOf(rows));
  await setUnusedSince(tx, idsOf(rows), null);
}

/** Ends the use of files by an edited message; those that nothing uses now begin to age. */
async function letGo(
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

/** Those of the files that the author owns, or that a message uses which the author may read. */
async function openable(
  tx: RealmReadTx,
  author: Pick<Actor, 'userId'>,
  rows: readonly AttachmentRow[],
  readable: ReadableMessages,
): Promise<readonly AttachmentRow[]> {
  const foreign = rows.filter((row) => row.owner_id !== author.userId);
  if (foreign.length === 0) return rows;
  const uses = await usesOf(tx, idsOf(foreign));
  const seen = await readable([...new Set([...uses.values()].flat().map((use) => use.message_id))]);
  return rows.filter(
    (row) => row.owner_id === author.userId || uses.get(row.id)?.some((use) => seen.has(use.message_id)),
  );
}

/** Those of the files at some addresses that the author owns, or can open by a message. */
export async function findOpenable(
  tx: RealmReadTx,
  author: Pick<Actor, 'userId'>,
  pathIds: readonly string[],
  readable: ReadableMessages,
): Promise<readonly AttachmentRow[]> {
  const rows = await findAttachmentsByPath(tx, pathIds);
  return rows.length === 0 ? rows : openable(tx, author, rows, readable);
}

async function byUse(
  tx: RealmWriteTx,
  rows: readonly AttachmentRow[],
): Promise<{ unused: readonly AttachmentRow[]; used: readonly AttachmentRow[] }> {
  const uses = await usesOf(tx, idsOf(rows));
  const isUsed = (row: AttachmentRow) => (uses.get(row.id)?.length ?? 0) > 0;
  return { unused: rows.filter((row) => !isUsed(row)), used: rows.filter(isUsed) };
}
