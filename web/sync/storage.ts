import { isRecord } from '../api/index.ts';
import type { Message } from '../messages/index.ts';
import type { AnyEvent, RegisterState } from '../model/index.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { joined, type StatePart, piecesOf } from './pieces.ts';

/** The stored state: a register response, and the events since. */
export interface StoredState {
  readonly state: RegisterState;
  readonly queueId: string | null;
  /** Ascending. */
  readonly events: readonly AnyEvent[];
}

/** The position of the stored state and events. */
export interface StoredPosition {
  readonly queueId: string | null;
  /** ID of the newest event, and how many there are since the state was written. */
  readonly newest: number;
  readonly count: number;
}

/** The newest messages of a conversation as last seen. */
export interface StoredMessages {
  readonly key: string;
  readonly messages: readonly Message[];
  readonly foundOldest: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The storage of an account in this browser, shared by all of its tabs. */
export interface AccountStorage {
  /** Whether other tabs share it. */
  readonly isShared: boolean;
  load(): Promise<StoredState | undefined>;
  /** Returns the position of what `load` would return, which takes long. */
  position(): Promise<StoredPosition | undefined>;
  saveState(state: RegisterState, queueId: string | null): Promise<void>;
  append(events: readonly AnyEvent[]): Promise<void>;
  outbox(): Promise<readonly OutboxEntry[]>;
  putEntry(entry: OutboxEntry): Promise<void>;
  deleteEntry(localId: string): Promise<void>;
  messagesOf(key: string): Promise<StoredMessages | undefined>;
  saveMessages(found: StoredMessages): Promise<void>;
  /** Deletes what the server knows as well. Unsent messages stay. */
  forget(): Promise<void>;
}

/** Increased when the stored format changes; old data is then discarded and fetched again. */
const VERSION = 2;
const STORES = ['state', 'events', 'outbox', 'messages'] as const;
type StoreName = (typeof STORES)[number];
/** Most conversations whose messages are stored; the oldest are deleted when there are twice as many. */
const MAX_CONVERSATIONS = 40;

/** Opens storage in IndexedDB, or in memory where the browser does not allow that. */
export async function openStorage(account: string): Promise<AccountStorage> {
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
      // Otherwise a tab with a newer release could not open the database.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('IndexedDB not open'));
    request.onblocked = () => reject(new Error('IndexedDB blocked'));
  });
}

/** Prefix of the keys of the state's pieces. */
const PIECE = 'piece ';

function stateFrom(
  register: unknown,
  pieces: readonly StatePart[],
  events: readonly AnyEvent[],
): StoredState | undefined {
  const state = joined(pieces);
  if (!isRecord(register) || !isRecord(state)) return undefined;
  // The cast is safe: data was written in this shape.
  const { queueId } = register as unknown as StoredPosition;
  return { state: state as unknown as RegisterState, queueId, events };
}

class Database implements AccountStorage {
  readonly isShared = true;
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  load(): Promise<StoredState | undefined> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(['state', 'events'], 'readonly');
      const store = transaction.objectStore('state');
      const register = store.get('register');
      const events = transaction.objectStore('events').getAll();
      const names = store.getAllKeys(IDBKeyRange.bound(PIECE, `${PIECE}~`));
      const pieces: StatePart[] = [];
      // Each piece is a separate event, so the page handles key presses in between.
      const take = (piece: IDBRequest) => (piece.onsuccess = () => pieces.push(piece.result as StatePart));
      names.onsuccess = () => names.result.forEach((name) => take(store.get(name)));
      transaction.oncomplete = () => resolve(stateFrom(register.result, pieces, events.result as AnyEvent[]));
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
    });
  }

  async position(): Promise<StoredPosition | undefined> {
    const [row, ids] = await this.#read(['state', 'events'], (transaction) => [
      transaction.objectStore('state').get('register'),
      transaction.objectStore('events').getAllKeys(),
    ]);
    if (!isRecord(row)) return undefined;
    const { queueId, newest } = row as unknown as StoredPosition;
    const events = ids as readonly number[];
    return { queueId, newest: events.at(-1) ?? newest, count: events.length };
  }

  saveState(state: RegisterState, queueId: string | null): Promise<void> {
    return this.#write(['state', 'events'], (transaction) => {
      const store = transaction.objectStore('state');
      store.clear();
      transaction.objectStore('events').clear();
      store.put({ name: 'register', queueId, newest: state.last_event_id });
      const pieces = piecesOf(state);
      const put = (index: number): void => {
        const name = `${PIECE}${String(index).padStart(5, '0')}`;
        if (pieces[index]) store.put({ name, ...pieces[index] }).onsuccess = () => put(index + 1);
      };
      put(0);
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

  async messagesOf(key: string): Promise<StoredMessages | undefined> {
    const [row] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').get(key)]);
    return row as StoredMessages | undefined;
  }

  async saveMessages(found: StoredMessages): Promise<void> {
    await this.#write(['messages'], (transaction) => void transaction.objectStore('messages').put(found));
    const [count] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').count()]);
    // Deleting the oldest reads all rows, which takes long, so it is not done each time.
    if (Number(count) > 2 * MAX_CONVERSATIONS) await this.#deleteOldest();
  }

  async #deleteOldest(): Promise<void> {
    const [rows] = await this.#read(['messages'], (transaction) => [transaction.objectStore('messages').getAll()]);
    const oldest = (rows as readonly StoredMessages[]).toSorted((a, b) => b.at - a.at).slice(MAX_CONVERSATIONS);
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
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
    });
  }

  #write(stores: readonly StoreName[], change: (transaction: IDBTransaction) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(stores, 'readwrite', { durability: 'relaxed' });
      change(transaction);
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
    });
  }
}

/** Storage in memory, for tests and for browsers without IndexedDB. */
export class Memory implements AccountStorage {
  readonly isShared = false;
  #state: StoredState | undefined;
  readonly #outbox = new Map<string, OutboxEntry>();
  readonly #messages = new Map<string, StoredMessages>();

  load(): Promise<StoredState | undefined> {
    return Promise.resolve(this.#state);
  }
  position(): Promise<StoredPosition | undefined> {
    if (!this.#state) return Promise.resolve(undefined);
    const { state, queueId, events } = this.#state;
    return Promise.resolve({ queueId, newest: events.at(-1)?.id ?? state.last_event_id, count: events.length });
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
  messagesOf(key: string): Promise<StoredMessages | undefined> {
    return Promise.resolve(this.#messages.get(key));
  }
  saveMessages(found: StoredMessages): Promise<void> {
    this.#messages.set(found.key, found);
    return Promise.resolve();
  }
  forget(): Promise<void> {
    this.#state = undefined;
    this.#messages.clear();
    return Promise.resolve();
  }
}
