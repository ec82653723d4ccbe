import type { RealmId } from '#kernel/ids';
import type { ReadTx, RealmStore, Store } from './transactions.ts';

/** A store whose transactions are of one organization. */
export function storeOf(store: Pick<Store, 'read' | 'query' | 'write'>, realmId: RealmId): RealmStore {
  return {
    realmId,
    read: (work) => store.read((tx) => work(inRealm(tx, realmId))),
    query: (work) => store.query((tx) => work(inRealm(tx, realmId))),
    write: (work, batch) => store.write((tx) => work(inRealm(tx, realmId)), batch),
  };
}

/**
 * A transaction of the whole server for what it does in one organization: for sweeps, for commands, and until the
 * organization of a request is known.
 */
export function inRealm<T extends ReadTx>(tx: T, realmId: RealmId): T & { readonly realmId: RealmId } {
  return { ...tx, realmId };
}
