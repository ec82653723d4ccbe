import type { Caller, InRealm, RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { Actor, RealmRef } from './actor.ts';

/** A transaction that can only select, of one organization that has been read: `tx.realm`. */
export interface RealmRefReadTx extends RealmReadTx, InRealm<RealmRef> {}

/** A transaction that can also change rows and emit events, of one organization that has been read: `tx.realm`. */
export interface RealmRefWriteTx extends RealmWriteTx, InRealm<RealmRef> {}

/** A transaction that can only select, for a request: `tx.realm`, and `tx.actor`, who is null for a spectator. */
export interface CallerReadTx extends RealmReadTx, Caller<Actor | null> {}

/** A transaction that can only select, for a request of somebody: `tx.realm` and `tx.actor`. */
export interface ActorReadTx extends RealmReadTx, Caller<Actor> {}

/** A transaction that can also change rows and emit events, for a request of somebody: `tx.realm` and `tx.actor`. */
export interface ActorWriteTx extends RealmWriteTx, Caller<Actor> {}

/** Whether a transaction is of somebody, not of a spectator. */
export function hasActor(tx: CallerReadTx): tx is ActorReadTx {
  return tx.actor !== null;
}
