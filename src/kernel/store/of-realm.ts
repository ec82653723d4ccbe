import type { RealmId } from '#kernel/ids';
import type {
  Acting,
  Caller,
  InRealm,
  OfRealm,
  ReadTx,
  Realm,
  Store,
  StoreOf,
  WriteBatch,
  WriteTx,
} from './transactions.ts';

type Transactions = Pick<Store, 'read' | 'query' | 'write'>;

/** Common base of both stores: derives the transactions of an organization from those of the whole server. */
export abstract class StoreDoors implements Transactions {
  abstract read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  abstract query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  abstract write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T>;

  of(realmId: RealmId): StoreOf<OfRealm> {
    return storeWith(this, { realmId });
  }

  in<R extends Realm>(realm: R): StoreOf<InRealm<R>> {
    return storeWith(this, { realmId: realm.id, realm });
  }

  as<A extends Acting>(actor: A): StoreOf<Caller<A>> {
    return storeWith(this, { realmId: actor.realm.id, realm: actor.realm, actor });
  }

  asCaller<A extends Acting>(realm: A['realm'], actor: A | null): StoreOf<Caller<A | null>> {
    return storeWith(this, { realmId: realm.id, realm, actor });
  }
}

function storeWith<C extends OfRealm>(store: Transactions, carried: C): StoreOf<C> {
  return {
    realmId: carried.realmId,
    read: (work) => store.read((tx) => work(carrying(tx, carried))),
    query: (work) => store.query((tx) => work(carrying(tx, carried))),
    write: (work, batch) => store.write((tx) => work(carrying(tx, carried)), batch),
  };
}

/**
 * Turns a transaction of the whole server into one of an organization: for sweeps, commands, and until a request's
 * organization is known.
 */
export function ofRealm<T extends ReadTx>(tx: T, realmId: RealmId): T & OfRealm {
  return carrying(tx, { realmId });
}

/** The same for code that needs more of the organization than its ID. */
export function inRealm<T extends ReadTx, R extends Realm>(tx: T, realm: R): T & InRealm<R> {
  return carrying(tx, { realmId: realm.id, realm });
}

/** Returns the transaction for what it does on behalf of another actor. */
export function actingAs<T extends ReadTx, A extends Acting>(tx: T, actor: A): T & Caller<A> {
  if (isOf(tx, actor)) return tx;
  return carrying(tx, { root: tx.root ?? tx, realmId: actor.realm.id, realm: actor.realm, actor });
}

function isOf<T extends ReadTx, A extends Acting>(tx: T, actor: A): tx is T & Caller<A> {
  return 'actor' in tx && tx.actor === actor;
}

/** Returns a transaction with additional members; `assign` is cheaper than spreading. */
function carrying<T extends ReadTx, C extends object>(tx: T, carried: C): T & C {
  return Object.assign({}, tx, carried);
}
