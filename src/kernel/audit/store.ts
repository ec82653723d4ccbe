import {
  type Act,
  type Cause,
  ofRealm,
  type ReadTx,
  type RealmWriteTx,
  type Store,
  StoreDoors,
  type WriteBatch,
  type WriteTx,
} from '#kernel/store';
import { SERVER_CAUSE } from './cause.ts';
import { auditKeyOf } from './chain.ts';
import { record } from './record.ts';

/** A store that records the cause of each write and logs the events that it emits. */
class AuditedStore extends StoreDoors implements Store {
  readonly dialect: Store['dialect'];
  /** The wrapped store, without causes. */
  readonly raw: Store;
  readonly #cause: Cause;
  readonly #key: string;

  constructor(store: Store, key: string, cause: Cause) {
    super();
    this.raw = store;
    this.#key = key;
    this.#cause = cause;
    this.dialect = store.dialect;
  }

  /** The same store for another cause. */
  withCause(cause: Cause): Store {
    // A request that a command makes to the API in its own process counts as the command's.
    return this.#cause.kind === 'command' ? this : new AuditedStore(this.raw, this.#key, cause);
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.raw.read(work);
  }

  query<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.raw.query(work);
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, batch?: WriteBatch): Promise<T> {
    return this.raw.write((tx) => work(audited(tx, this.#key, this.#cause)), batch);
  }

  moment(): Store {
    const raw = this.raw.moment();
    return raw === this.raw ? this : new AuditedStore(raw, this.#key, this.#cause);
  }

  claim(): Promise<void> {
    return this.raw.claim();
  }

  alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.raw.alone(name, work);
  }

  backup(file: string): Promise<void> {
    return this.raw.backup(file);
  }

  connectLog(...log: Parameters<Store['connectLog']>): void {
    this.raw.connectLog(...log);
  }

  connectJobs(wake: (lane: string) => void): void {
    this.raw.connectJobs(wake);
  }

  close(): Promise<void> {
    return this.raw.close();
  }
}

/**
 * A store that keeps an audit log, sealed by a key from the server's secret; what is written by it is caused by the
 * server itself unless somebody else is named.
 */
export function auditedStore(store: Store, secret: string, cause = SERVER_CAUSE): Store {
  return new AuditedStore(store, auditKeyOf(secret), cause);
}

/** A context whose writes bear a cause. */
export function withCause<C extends { readonly store: Store }>(context: C, cause: Cause): C {
  const { store } = context;
  return store instanceof AuditedStore ? { ...context, store: store.withCause(cause) } : context;
}

function audited(tx: WriteTx, auditKey: string, cause: Cause): WriteTx {
  let known: Set<string> | undefined;
  const bearing: WriteTx = {
    ...tx,
    auditKey,
    cause,
    emit(event) {
      tx.emit.call(this, event);
      cause.trace.emitted = true;
      if (event.act) known = recordOnce(ofRealm(bearing, this.realmId), event.act, known);
    },
  };
  return bearing;
}

/** Some changes emit several events, one for each audience. */
function recordOnce(tx: RealmWriteTx, act: Act, known = new Set<string>()): Set<string> {
  const key = `${tx.realmId} ${JSON.stringify(act)}`;
  if (!known.has(key)) record(tx, act);
  return known.add(key);
}
