import { invariant } from '#kernel/errors';
import type { RealmId } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import { compiled, ofRealm, type RealmReadTx, type RealmWriteTx, type WriteBatch, type WriteTx } from '#kernel/store';

/** A realm's log that a transaction has locked. */
export interface HeldLog {
  /** The newest ID, including those that this transaction has given out. */
  head: number;
  /** Whether it was locked before anything was read. */
  readonly isFromBeginning: boolean;
}

/** Transactions that may lock a log. */
type Holding = RealmReadTx & Pick<WriteTx, 'transaction'>;

/** The logs that a transaction has locked, shared by all writes of a batch. */
const logsOf = onceFor((_transaction: object) => new Map<RealmId, HeldLog>());

/** The batch of writes that would otherwise wait for each other at the organization's log. */
export function logBatch(realmId: RealmId): WriteBatch {
  return { key: `log ${realmId}`, enter: (tx) => hold(ofRealm(tx, realmId), true) };
}

/** The logs that each write has asked to lock. The key is its `beforeCommit`, which derived transactions share. */
const asked = new WeakMap<WriteTx['beforeCommit'], Set<RealmId>>();

/** Records that the write asks for the lock; returns whether it is the first time. */
function note(tx: RealmWriteTx): boolean {
  const realms = asked.get(tx.beforeCommit);
  if (!realms) asked.set(tx.beforeCommit, new Set([tx.realmId]));
  else if (realms.has(tx.realmId)) return false;
  else realms.add(tx.realmId);
  return true;
}

/** Whether the write has asked for the lock, even if it was not needed. */
export function hasAskedForLog(tx: RealmWriteTx): boolean {
  return asked.get(tx.beforeCommit)?.has(tx.realmId) === true;
}

/**
 * Locks the realm's log until the commit and returns its newest ID: entries of this transaction come after it, and
 * those of other transactions either before it or after all of ours. Throws if the caller of the write's request may
 * not make it any more: nobody can lose a right between this check and the commit.
 */
export async function lockLog(tx: RealmWriteTx): Promise<number> {
  const isFirst = note(tx);
  const { head } = heldLog(tx) ?? (await hold(tx));
  if (isFirst) await tx.cause?.recheck?.(tx);
  return head;
}

/**
 * Does the same without reading the newest ID. Locks nothing on SQLite, which has one writer.
 */
export async function holdLog(tx: RealmWriteTx): Promise<void> {
  const isFirst = note(tx);
  if (!tx.dialect.isSerial && !heldLog(tx)) await hold(tx);
  if (isFirst) await tx.cause?.recheck?.(tx);
}

/** Whether no transaction that locks the organization's log can have committed since this one began. */
export function hasHeldLog(tx: RealmWriteTx): boolean {
  return tx.dialect.isSerial || heldLog(tx)?.isFromBeginning === true;
}

/** Returns the realm's log if the transaction has locked it already. */
export function heldLog(tx: Holding): HeldLog | undefined {
  return logsOf(tx.transaction).get(tx.realmId);
}

/** Locks the realm's log until the commit. */
export async function hold(tx: Holding, isFromBeginning = false): Promise<HeldLog> {
  const [row] = await lockedHead(tx);
  invariant(row, `realm ${tx.realmId} has no log`);
  const held = { head: row.head, isFromBeginning };
  logsOf(tx.transaction).set(tx.realmId, held);
  return held;
}

const lockedHead = compiled(({ db, realmId, dialect }) =>
  db.selectFrom('realm_log').select('head').where('realm_id', '=', realmId).modifyEnd(dialect.forUpdate),
);
