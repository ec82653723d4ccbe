import type { Caller, InRealm, RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { Actor, RealmRef } from './actor.ts';

/** A read transaction of one organization, whose row has been read: `tx.realm`. */
export interface RealmRefReadTx extends RealmReadTx, InRealm<RealmRef> {}

/** A write transaction of one organization, whose row has been read: `tx.realm`. */
export interface RealmRefWriteTx extends RealmWriteTx, InRealm<RealmRef> {}

/** A read transaction for a request: `tx.realm`, and `tx.actor`, which is null for a spectator. */
export interface CallerReadTx extends RealmReadTx, Caller<Actor | null> {}

/** A read transaction for an account's request: `tx.realm` and `tx.actor`. */
export interface ActorReadTx extends RealmReadTx, Caller<Actor> {}

/** A write transaction for an account's request: `tx.realm` and `tx.actor`. */
export interface ActorWriteTx extends RealmWriteTx, Caller<Actor> {}

/** Whether a transaction belongs to an account and not to a spectator. */
export function hasActor(tx: CallerReadTx): tx is ActorReadTx {
  return tx.actor !== null;
}
