import { isRecord } from '../api/index.ts';
import type { Message } from '../messages/index.ts';
import type { AnyEvent, RegisterState } from '../model/index.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** What was kept of the state: as it was registered, and the events since. */
export interface KeptState {
  readonly state: RegisterState;
  readonly queueId: string | null;
  /** Ascending. */
  readonly events: readonly AnyEvent[];
}

/** The newest messages of a conversation, as they were last seen. */
export interface KeptMessages {
  readonly key: string;
  readonly messages: readonly Message[];
  readonly foundOldest: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a browser keeps for an account, for all of its tabs. */
export interface Kept {
  /** Whether other tabs see it, too. */
  readonly isShared: boolean;
  load(): Promise<KeptState | undefined>;
  saveState(state: RegisterState, queueId: string | null): Promise<void>;
  append(events: readonly AnyEvent[]): Promise<void>;
  outbox(): Promise<readonly OutboxEntry[]>;
  putEntry(entry: OutboxEntry): Promise<void>;
  deleteEntry(localId: string): Promise<void>;
  messagesOf(key: string): Promise<KeptMessages | undefined>;
  saveMessages(kept: KeptMessages): Promise<void>;
  /** Forgets what the server knows anyway. Unsent messages stay. */
  forget(): Promise<void>;
}

/** Raised when what is kept has another form: it is then fetched anew. */
const VERSION = 1;
const STORES = ['state', 'events', 'outbox', 'messages'] as const;
type StoreName = (typeof STORES)[number];
/** Conversations whose messages are kept; up to twice as many for a while. */
const MAX_CONVERSATIONS = 40;

/** Keeps things in IndexedDB; in memory alone where the browser does not allow that. */
export async function openKept(account: string): Promise<Kept> {
  try {
    return new Database(await openDatabase(`roost-${account}`));
  } catch {
    return new Memory();
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, VERSION);
    request.onupgradeneeded = () => {
      const keys: Readonly<Record<StoreName, string>> = {
        state: 'name',
        events: 'id',
        outbox: 'localId',
        messages: 'key',
      };
      for (const store of STORES) {
        if (!request.result.objectStoreNames.contains(store))
          request.result.createObjectStore(store, { keyPath: keys[store] });
        else if (store !== 'outbox') request.transaction?.objectStore(store).clear();
      }
    };
    request.onsuccess = () => {
      // Another tab has a newer release: it must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('IndexedDB does not open'));
    request.onblocked = () => reject(new Error('IndexedDB is blocked'));
  });
}

class Database implements Kept {
  readonly isShared = true;
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  async load(): Promise<KeptState | undefined> {
    const [row, events] = await this.#read(['state', 'events'], (transaction) => [
      transaction.objectStore('state').get('register'),
      transaction.objectStore('events').getAll(),
    ]);
    if (!isRecord(row) || !isRecord(row['state'])) return undefined;
    return { ...(row as unknown as Omit<KeptState, 'events'>), events: events as readonly AnyEvent[] };
  }

  saveState(state: RegisterState, queueId: string | null): Promise<void> {
    return this.#write(['state', 'events'], (transaction) => {
      transaction.objectStore('state').put({ name: 'register', state, queueId });
      transaction.objectStore('events').clear();
    });
  }

  append(events: readonly AnyEvent[]): Promise<void> {
    return this.#write(['events'], (transaction) => {
      for (const event of events) transaction.objectStore('events').put(event);
    });
  }

  async outbox(): Promise<readonly OutboxEntry[]> {
    const [entries] = await this.#read(['outbox'], (transaction) => [transaction.objectStore('outbox').getAll()]);
    return entries as readonly OutboxEntry[];
  }

  putEntry(entry: OutboxEntry): Promise<void> {
    return this.#write(['outbox'], (transaction) => void transaction.objectStore('outbox').put(entry));
  }

  deleteEntry(localId: string): Promise<void> {
    return this.#write(['outbox'], (transaction) => void transaction.objectStore('outbox').delete(localId));
  }

  async messagesOf(key: string): Promise<KeptMessages | undefined> {
    const [row] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').get(key)]);
    return row as KeptMessages | undefined;
  }

  async saveMessages(kept: KeptMessages): Promise<void> {
    await this.#write(['messages'], (transaction) => void transaction.objectStore('messages').put(kept));
    const [count] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').count()]);
    // To read them all takes a while: not each time.
    if (Number(count) > 2 * MAX_CONVERSATIONS) await this.#deleteOldest();
  }

  async #deleteOldest(): Promise<void> {
    const [rows] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').getAll()]);
    const oldest = (rows as readonly KeptMessages[]).toSorted((a, b) => b.at - a.at).slice(MAX_CONVERSATIONS);
    await this.#write(['messages'], (transaction) => {
      for (const { key } of oldest) transaction.objectStore('messages').delete(key);
    });
  }

  forget(): Promise<void> {
    return this.#write(['state', 'events', 'messages'], (transaction) => {
      for (const store of ['state', 'events', 'messages']) transaction.objectStore(store).clear();
    });
  }

  #read(stores: readonly StoreName[], ask: (transaction: IDBTransaction) => readonly IDBRequest[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(stores, 'readonly');
      const requests = ask(transaction);
      transaction.oncomplete = () => resolve(requests.map((request): unknown => request.result));
      transaction.onabort = () => reject(transaction.error ?? new Error('reading was aborted'));
    });
  }

  #write(stores: readonly StoreName[], change: (transaction: IDBTransaction) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(stores, 'readwrite', { durability: 'relaxed' });
      change(transaction);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('writing was aborted'));
    });
  }
}

/** Keeps things as long as the page lives: for tests, and for browsers without storage. */
export class Memory implements Kept {
  readonly isShared = false;
  #state: KeptState | undefined;
  readonly #outbox = new Map<string, OutboxEntry>();
  readonly #messages = new Map<string, KeptMessages>();

  load(): Promise<KeptState | undefined> {
    return Promise.resolve(this.#state);
  }
  saveState(state: RegisterState, queueId: string | null): Promise<void> {
    this.#state = { state, queueId, events: [] };
    return Promise.resolve();
  }
  append(events: readonly AnyEvent[]): Promise<void> {
    if (this.#state) this.#state = { ...this.#state, events: [...this.#state.events, ...events] };
    return Promise.resolve();
  }
  outbox(): Promise<readonly OutboxEntry[]> {
    return Promise.resolve([...this.#outbox.values()]);
  }
  putEntry(entry: OutboxEntry): Promise<void> {
    this.#outbox.set(entry.localId, entry);
    return Promise.resolve();
  }
  deleteEntry(localId: string): Promise<void> {
    this.#outbox.delete(localId);
    return Promise.resolve();
  }
  messagesOf(key: string): Promise<KeptMessages | undefined> {
    return Promise.resolve(this.#messages.get(key));
  }
  saveMessages(kept: KeptMessages): Promise<void> {
    this.#messages.set(kept.key, kept);
    return Promise.resolve();
  }
  forget(): Promise<void> {
    this.#state = undefined;
    this.#messages.clear();
    return Promise.resolve();
  }
}
