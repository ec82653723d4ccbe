import type { RealmId } from '#kernel/ids';
import type { Acting, ActingStore, Caller, ReadTx, RealmStore, Store } from './transactions.ts';

type Transactions = Pick<Store, 'read' | 'query' | 'write'>;

/** A store whose transactions are of one organization. */
export function storeOf(store: Transactions, realmId: RealmId): RealmStore {
  return {
    realmId,
    read: (work) => store.read((tx) => work(inRealm(tx, realmId))),
    query: (work) => store.query((tx) => work(inRealm(tx, realmId))),
    write: (work, batch) => store.write((tx) => work(inRealm(tx, realmId)), batch),
  };
}

/** A store whose transactions are of who acts in an organization; null is a spectator. */
export function storeAs<A extends Acting | null>(
  store: Transactions,
  realm: NonNullable<A>['realm'],
  actor: A,
): ActingStore<A> {
  const carried = { realmId: realm.id, realm, actor };
  return {
    realmId: realm.id,
    read: (work) => store.read((tx) => work(carrying(tx, carried))),
    query: (work) => store.query((tx) => work(carrying(tx, carried))),
    write: (work, batch) => store.write((tx) => work(carrying(tx, carried)), batch),
  };
}

/**
 * A transaction of the whole server for what it does in one organization: for sweeps, for commands, and until the
 * organization of a request is known.
 */
export function inRealm<T extends ReadTx>(tx: T, realmId: RealmId): T & { readonly realmId: RealmId } {
  return carrying(tx, { realmId });
}

/** A transaction of one organization for what it does on behalf of somebody: where a write acts for others than its caller. */
export function actingAs<T extends ReadTx, A extends Acting>(
  tx: T,
  actor: A,
): T & Caller<A> & { readonly realmId: RealmId } {
  return carrying(tx, { root: tx.root ?? tx, realmId: actor.realm.id, realm: actor.realm, actor });
}

/** A transaction with more: copied by `assign`, which takes less than spreading and adding. */
function carrying<T extends ReadTx, C extends object>(tx: T, carried: C): T & C {
  return Object.assign({}, tx, carried);
}
