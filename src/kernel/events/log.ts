import type { Bus } from '#kernel/bus';
import { type Clock, repeat } from '#kernel/clock';
import { invariant } from '#kernel/errors';
import { asId, type RealmId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { Log as Logger } from '#kernel/log';
import {
  askedTogether,
  type CommitListener,
  type Flush,
  ofRealm,
  type IsStored,
  type LogEntry,
  type RealmReadTx,
  type RealmWriteTx,
  type Store,
} from '#kernel/store';
import { appendEntries } from './append.ts';
import { Entry } from './entry.ts';
import type { EmittedEvent } from './event.ts';
import { hasAskedForLog, heldLog, hold } from './lock.ts';
import type { EventRegistry } from './registry.ts';
import { headOf, headsOf, isEntryStored, readEntries } from './rows.ts';
import { Tail, TailMemory } from './tail.ts';

const TOPIC = 'log';
/** Milliseconds between two checks of the database for entries whose wake-up was lost. */
const REPAIR_EVERY_MS = 700;

/** Called with new entries of an organization, in order, once each. */
export type LogListener = (realmId: RealmId, entries: readonly Entry[]) => void;

interface Options {
  readonly store: Store;
  readonly bus: Bus;
  readonly registry: EventRegistry;
  readonly log: Logger;
  readonly clock: Clock;
  /** Whether payloads are checked against their declarations; in development and tests. */
  readonly checkPayloads: boolean;
}

/** The event logs of all realms: gives events their IDs and keeps recent entries in memory. */
export class EventLog {
  readonly #options: Options;
  readonly #tails = new Map<RealmId, Promise<Tail>>();
  readonly #opened = new Map<RealmId, Tail>();
  readonly #memory = new TailMemory();
  readonly #listeners: LogListener[] = [];
  /** Organizations whose newest ID somebody waits for. */
  #asked = new Set<RealmId>();
  /** Reads the newest IDs of several organizations in one statement, for all who ask at the same time. */
  readonly #heads = askedTogether(async (): Promise<ReadonlyMap<RealmId, number>> => {
    const realmIds = [...this.#asked];
    this.#asked = new Set();
    const heads = await this.#options.store.query((tx) => headsOf(tx, realmIds));
    return new Map(heads.map(({ realm_id, head }) => [realm_id, head]));
  });
  #isStopped = false;
  #stopRepairs = async (): Promise<void> => undefined;

  constructor(options: Options) {
    this.#options = options;
    options.store.connectLog(this.#flush, this.#committed, isStored);
  }

  /** Subscribes to the wake-ups of other processes, and starts looking for entries whose wake-up was lost. */
  async start(): Promise<void> {
    if (!this.#options.bus.isShared) return;
    await this.#options.bus.subscribe(TOPIC, (text) => this.#heard(text));
    // Clients cannot notice a lost wake-up: their polls just stay unanswered.
    this.#stopRepairs = repeat(this.#options.clock, () => this.#repair(), {
      everyMs: REPAIR_EVERY_MS,
      failed: (error) => this.#options.log.warn({ err: error }, 'the log could not be looked through'),
    });
  }

  /** Stops listening, and waits for reads that are under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#stopRepairs();
    for (const tail of this.#opened.values()) await tail.settled();
  }

  listen(listener: LogListener): void {
    this.#listeners.push(listener);
  }

  /** The newest event ID of a realm, in this snapshot. */
  head(tx: RealmReadTx): Promise<number> {
    return headOf(tx);
  }

  /** Entries that end above `after`, oldest first; at most a few thousand at once. */
  async since(realmId: RealmId, after: number): Promise<readonly Entry[]> {
    const tail = await this.#tail(realmId);
    return (
      tail.since(after) ?? this.#options.store.of(realmId).query((tx) => readEntries(tx, this.#options.registry, after))
    );
  }

  /** Whether this process has the entries after `position` in memory. */
  isRecent(realmId: RealmId, position: number): boolean {
    return (this.#opened.get(realmId)?.start ?? Number.POSITIVE_INFINITY) <= position;
  }

  /** The newest ID that this process knows; 0 before it has read any. */
  newestKnown(realmId: RealmId): number {
    return this.#opened.get(realmId)?.head ?? 0;
  }

  /** Whether this process knows of no entry after `position`. */
  hasNothingAfter(realmId: RealmId, position: number): boolean {
    return (this.#opened.get(realmId)?.head ?? Number.POSITIVE_INFINITY) <= position;
  }

  /** The newest ID; asks the database if other processes may have written. */
  async newest(realmId: RealmId): Promise<number> {
    const tail = await this.#tail(realmId);
    if (!this.#options.bus.isShared) return tail.head;
    this.#asked.add(realmId);
    const head = (await this.#heads()).get(realmId) ?? 0;
    if (tail.head < head) await this.#catchUp(tail, head);
    return tail.head;
  }

  /** Looks for entries whose wake-up was lost. */
  async #repair(): Promise<void> {
    const realmIds = [...this.#opened.keys()];
    if (realmIds.length === 0) return;
    const heads = await this.#options.store.query((tx) => headsOf(tx, realmIds));
    for (const { realm_id, head } of heads) {
      const tail = this.#opened.get(realm_id);
      if (tail && tail.head < head) await this.#catchUp(tail, head);
    }
  }

  readonly #flush: Flush = async (tx, emitted): Promise<readonly LogEntry[]> => {
    // The cast is safe: every emitted event was made by a declaration; the store only passes it on.
    const events = emitted as readonly (readonly [RealmId, EmittedEvent])[];
    const entries: Entry[] = [];
    for (const [realmId, own] of grouped(events)) {
      const within = ofRealm(tx, realmId);
      if (this.#options.checkPayloads) for (const event of own) assertEmittable(within, event);
      entries.push(...appendEntries(within, heldLog(within) ?? (await hold(within)), own));
    }
    return entries;
  };

  readonly #committed: CommitListener = (committed) => {
    for (const [realmId, entries] of byRealm(committed)) {
      const last = entries.at(-1);
      if (last && this.#options.bus.isShared) this.#options.bus.publish(TOPIC, `${realmId} ${last.last_id}`);
      this.#append(realmId, entries).catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'a commit could not be followed'),
      );
    }
  };

  async #append(realmId: RealmId, entries: readonly Entry[]): Promise<void> {
    const loading = this.#tails.get(realmId);
    if (!loading) return;
    const tail = await loading;
    if (tail.append(entries)) this.#tell(realmId, entries);
    else await this.#catchUp(tail, entries.at(-1)?.last_id);
  }

  #heard(text: string): void {
    const [realm, head] = text.split(' ').map(Number);
    const loading = this.#tails.get(asId<RealmId>(realm ?? 0));
    if (!loading || this.#isStopped) return;
    loading
      .then((tail) => this.#catchUp(tail, head))
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a wake-up could not be followed'));
  }

  /**
   * Reads what is missing between the tail and the database, with one reader per organization at a time; skips when the
   * reader before has already read up to `wanted`.
   */
  #catchUp(tail: Tail, wanted = Number.POSITIVE_INFINITY): Promise<void> {
    return tail.exclusively(async () => {
      const { store, registry } = this.#options;
      while (tail.head < wanted) {
        const missing = await store.of(tail.realmId).query((tx) => readEntries(tx, registry, tail.head));
        const fresh = missing.filter((entry) => entry.id > tail.head);
        if (fresh.length === 0) return;
        tail.extend(fresh);
        this.#tell(tail.realmId, fresh);
      }
    });
  }

  #tell(realmId: RealmId, entries: readonly Entry[]): void {
    for (const listener of this.#listeners) listener(realmId, entries);
  }

  #tail(realmId: RealmId): Promise<Tail> {
    const known = this.#tails.get(realmId);
    if (known) return known;
    const opening = this.#options.store
      .of(realmId)
      .query((tx) => headOf(tx))
      .then((head) => {
        const tail = new Tail(realmId, head, this.#memory);
        this.#opened.set(realmId, tail);
        return tail;
      });
    opening.catch(() => this.#tails.delete(realmId));
    this.#tails.set(realmId, opening);
    return opening;
  }
}

const isStored: IsStored = (tx, entry) => (entry instanceof Entry ? isEntryStored(tx, entry) : Promise.resolve(false));

function byRealm(entries: readonly LogEntry[]): ReadonlyMap<RealmId, readonly Entry[]> {
  const groups = new Map<RealmId, Entry[]>();
  for (const entry of entries) {
    if (!(entry instanceof Entry)) continue;
    const group = groups.get(entry.realm_id);
    if (group) group.push(entry);
    else groups.set(entry.realm_id, [entry]);
  }
  return groups;
}

/**
 * Throws for a payload that does not fit its declaration, and for a change of rights without the lock. See
 * CONTRIBUTING.md.
 */
function assertEmittable(tx: RealmWriteTx, { type, payload, details }: EmittedEvent): void {
  type.schema.parse(payload);
  const moves = [...(details.viewers ?? []), ...(details.memberships ?? [])];
  const changesRights = type.changesRights(payload) ?? moves.length > 0;
  invariant(!changesRights || hasAskedForLog(tx), `${type.kind} changes rights without locking the log`);
}
