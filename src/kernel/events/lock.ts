import type { RealmId } from '#kernel/ids';
import { compiled, ofRealm, type RealmReadTx, type RealmWriteTx, type WriteBatch, type WriteTx } from '#kernel/store';

/** A realm's log that was locked as the first thing in a transaction, which several writes share. */
class HeldLog {
  readonly realmId: RealmId;
  /** The newest ID, those that have been given out in this transaction among them. */
  head: number;

  constructor(realmId: RealmId, head: number) {
    this.realmId = realmId;
    this.head = head;
  }
}

/** The batch of writes that would otherwise wait for each other at the realm's log. */
export function logBatch(realmId: RealmId): WriteBatch {
  return { key: `log ${realmId}`, enter: async (tx) => new HeldLog(realmId, await lock(ofRealm(tx, realmId))) };
}

/** The realm's log where the transaction has held it from its beginning. */
export function heldLog(tx: RealmWriteTx): HeldLog | undefined {
  return tx.entered instanceof HeldLog && tx.entered.realmId === tx.realmId ? tx.entered : undefined;
}

/** Which logs transactions have locked, by what stays theirs when something is laid over them. */
const locked = new WeakMap<WriteTx['beforeCommit'], Set<RealmId>>();

function note(tx: RealmWriteTx): void {
  const realms = locked.get(tx.beforeCommit);
  if (realms) realms.add(tx.realmId);
  else locked.set(tx.beforeCommit, new Set([tx.realmId]));
}

/** Whether the transaction has asked for the lock, also where it needed none. */
export function hasAskedForLog(tx: RealmWriteTx): boolean {
  return heldLog(tx) !== undefined || locked.get(tx.beforeCommit)?.has(tx.realmId) === true;
}

/**
 * Locks the realm's log until the commit and returns its newest ID: entries of this transaction come after it, and those
 * of other transactions either before it or after all of ours.
 */
export async function lockLog(tx: RealmWriteTx): Promise<number> {
  note(tx);
  return heldLog(tx)?.head ?? lock(tx);
}

/** Locks the realm's log until the commit without reading its newest ID. Does nothing on SQLite, which has one writer. */
export async function holdLog(tx: RealmWriteTx): Promise<void> {
  note(tx);
  if (!hasHeldLog(tx)) await lock(tx);
}

/** Whether no transaction that locks the realm's log can have committed since this one began. */
export function hasHeldLog(tx: RealmWriteTx): boolean {
  return tx.dialect.isSerial || heldLog(tx) !== undefined;
}

async function lock(tx: RealmReadTx): Promise<number> {
  const [row] = await lockedHead(tx);
  return row?.head ?? 0;
}

const lockedHead = compiled((db, { realmId, dialect }) =>
  db.selectFrom('realm_log').select('head').where('realm_id', '=', realmId).modifyEnd(dialect.forUpdate),
);
