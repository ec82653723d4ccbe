import type { Bus } from '#kernel/bus';
import { type Clock, ClockSteps, repeat } from '#kernel/clock';
import type { RealmId, UserId } from '#kernel/ids';
import type { Log as Logger } from '#kernel/log';
import { ofRealm, type RealmWriteTx, type Store, type WriteTx } from '#kernel/store';
import { Delivery } from './delivery.ts';
import type { Entry } from './entry.ts';
import { BadEventQueue, EventNotInQueue, EventPruned } from './errors.ts';
import type { EventLog } from './log.ts';
import type { Waiter } from './polls.ts';
import { markSeen, type Queue, type QueueDescriptor } from './queue.ts';
import {
  accountsWithMoreQueues,
  deleteIdleQueues,
  deleteQueue,
  deleteSurplusQueues,
  findQueue,
  insertQueue,
  livingQueues,
  neededPositions,
  type QueueRow,
  saveProgress,
} from './queue-rows.ts';
import { QueueMoves } from './queue-moves.ts';
import { endedBy, queuesEnded } from './queues-ended.ts';
import { MembershipIndexes, type MembershipSource } from './membership-index.ts';
import { pruneEntries } from './rows.ts';
import type { Viewer, ViewerSource } from './viewer.ts';

/** How often positions and signs of life are stored, and how often idle queues are deleted, in milliseconds. */
const SAVE_EVERY_MS = 2000;
const SWEEP_EVERY_MS = 60_000;
/** A parked poll counts as a sign of life; it is stored at least this often, in seconds. */
const SEEN_EVERY_SECONDS = 30;
/** Idle queues stay this much longer in the database, because another process may know a newer sign of life. */
const SWEEP_GRACE_SECONDS = 120;
/** Queues that nobody polls stay in memory this much longer, in seconds; then they are read again when polled. */
const KEEP_UNUSED_SECONDS = 120;
/** Most queues that an account keeps; a load test may poll thousands as one account. See protocol/queues#ownership. */
const MAX_QUEUES = 20_000;
/** Entries stay at least this long, in seconds, whatever the queues have acknowledged. */
const KEEP_ENTRIES_SECONDS = 3600;

interface Options {
  readonly store: Store;
  readonly bus: Bus;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly viewers: ViewerSource;
  readonly memberships: MembershipSource;
}

/** A new queue, before it has an ID. */
export interface NewQueue {
  readonly realm_id: RealmId;
  readonly user_id: UserId;
  readonly descriptor: QueueDescriptor;
  /** The position of the state in the register response. */
  readonly acked_id: number;
  readonly idle_seconds: number;
}

/** The event queues; those polled in this process are in memory, all are in the database. */
export class EventQueues {
  readonly #options: Options;
  readonly #queues = new Map<string, Queue>();
  readonly #delivery: Delivery;
  readonly #steps: ClockSteps;
  readonly #moves: QueueMoves;
  #stops: readonly (() => Promise<void>)[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#steps = new ClockSteps(options.clock);
    this.#moves = new QueueMoves(options.bus, options.clock, (queueId) => this.#moved(queueId));
    const memberships = new MembershipIndexes(options.store, options.memberships);
    this.#delivery = new Delivery({
      ...options,
      memberships,
      queues: this.#queues,
      viewersChanged: (realmId, ids) => this.#refreshViewers(realmId, ids),
    });
    options.log.listen((_realmId, entries) => {
      for (const entry of entries) for (const queueId of endedBy(entry)) this.#forget(queueId);
    });
  }

  async start(): Promise<void> {
    const failed = (error: unknown) =>
      this.#options.logger.warn({ err: error }, 'event queues could not be written down');
    await this.#moves.start();
    this.#stops = [
      repeat(this.#options.clock, () => this.save(), { everyMs: SAVE_EVERY_MS, failed }),
      repeat(this.#options.clock, () => this.sweep(), { everyMs: SWEEP_EVERY_MS, failed }),
    ];
  }

  /** Stores a new queue and returns its unguessable ID. */
  async create(tx: WriteTx, queue: NewQueue): Promise<string> {
    const queue_id = this.#options.clock.token(32);
    const began_id = queue.acked_id;
    await insertQueue(tx, { ...queue, queue_id, began_id, heartbeat_id: 0, last_seen_at: tx.now });
    return queue_id;
  }

  /**
   * Finds a queue of this user and acknowledges everything up to `lastEventId`. Errors are in the order of
   * protocol/queues#polling. `wait` then answers at once if there are events or with `dontBlock`, otherwise when there
   * are some.
   */
  async open(
    viewer: Viewer,
    realmId: RealmId,
    queueId: string,
    lastEventId: number,
  ): Promise<{ wait(dontBlock: boolean, waiter: Waiter): void }> {
    const queue = await this.#open(viewer, realmId, queueId);
    const newest = await this.#options.log.newest(realmId);
    // One of the entries that `newest` has read may have ended it.
    if (this.#queues.get(queueId) !== queue) throw BadEventQueue({ queue_id: queueId });
    this.#acknowledge(queue, lastEventId, newest);
    if (!queue.isHere) this.#moves.announce(queueId);
    queue.isHere = true;
    return {
      wait: (dontBlock, waiter) => {
        this.#delivery.serve(queue, dontBlock, waiter).catch((error: unknown) => {
          this.#options.logger.error({ err: error }, 'a poll could not be served');
          waiter.answer([]);
        });
      },
    };
  }

  /** Ends a queue of this user. */
  async remove(viewer: Viewer, realmId: RealmId, queueId: string): Promise<void> {
    await this.#open(viewer, realmId, queueId);
    await this.#end(realmId, async (tx) => {
      await deleteQueue(tx, queueId);
      return [queueId];
    });
  }

  /** Ends the queues that `remove` deletes and returns. */
  async #end(realmId: RealmId, remove: (tx: RealmWriteTx) => Promise<readonly string[]>): Promise<void> {
    const { store, bus } = this.#options;
    const ended = await store.of(realmId).write(async (tx) => {
      const queue_ids = await remove(tx);
      // Every process that has them in memory drops them at this entry, before it answers a later poll.
      if (bus.isShared) tx.emit(queuesEnded({ queue_ids: [...queue_ids] }));
      return queue_ids;
    });
    for (const id of ended) this.#forget(id);
  }

  /**
   * Whether any of these entries changes what this user sees: those addressed to them, and those about their access.
   */
  concerns(viewer: Viewer, realmId: RealmId, entries: readonly Entry[]): Promise<boolean> {
    return this.#delivery.concerns(viewer, realmId, entries);
  }

  /** Number of polls that wait in this process, for metrics. */
  get parked(): number {
    return this.#delivery.parked;
  }

  /** Number of queues this process has in memory, for metrics. */
  get known(): number {
    return this.#queues.size;
  }

  /** Stores what has been acknowledged, and signs of life. */
  async save(): Promise<void> {
    this.#delivery.markParked(SEEN_EVERY_SECONDS);
    const dirty = [...this.#queues.values()].filter((queue) => queue.isDirty);
    if (dirty.length === 0) return;
    for (const queue of dirty) queue.isDirty = false;
    try {
      await this.#options.store.write((tx) => saveProgress(tx, dirty));
    } catch (error) {
      for (const queue of dirty) queue.isDirty = true;
      throw error;
    }
  }

  /** Deletes idle queues, those of an account beyond `most`, and log entries that no queue needs any more. */
  async sweep(most = MAX_QUEUES): Promise<void> {
    for (const queue of this.#queues.values()) if (this.#isUnused(queue)) this.#forget(queue.id);
    const { store, clock } = this.#options;
    const gone = await store.write((tx) => deleteIdleQueues(tx, SWEEP_GRACE_SECONDS + this.#steps.forwardSeconds));
    for (const id of gone) this.#forget(id);
    for (const { realm_id, user_id } of await store.query((tx) => accountsWithMoreQueues(tx, most)))
      await this.#end(realm_id, (tx) => deleteSurplusQueues(tx, user_id, most));
    const needed = await store.query((tx) => neededPositions(tx));
    const before = clock.now() - KEEP_ENTRIES_SECONDS;
    await store.write(async (tx) => {
      for (const { realm_id, position } of needed) await pruneEntries(ofRealm(tx, realm_id), position, before);
    });
  }

  /** Answers every waiting poll with no events, and from now on every other one too. The queues live on. */
  async release(): Promise<void> {
    await this.#delivery.stop();
  }

  /** Stops the periodic work and stores everything; called when no poll is left. */
  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.save();
  }

  async #open(viewer: Viewer, realmId: RealmId, queueId: string): Promise<Queue> {
    const known = this.#queues.get(queueId);
    // It may be idle only in this process: the client may have polled others. Then it is loaded again.
    if (known && this.#isIdle(known)) this.#forget(queueId);
    const queue = this.#queues.get(queueId) ?? (await this.#load(queueId, viewer));
    if (!queue || queue.realmId !== realmId || queue.viewer.user_id !== viewer.user_id)
      throw BadEventQueue({ queue_id: queueId });
    queue.viewer = viewer;
    return queue;
  }

  async #load(queueId: string, viewer: Viewer): Promise<Queue | undefined> {
    const { store, clock } = this.#options;
    const row = await store.query((tx) => findQueue(tx, queueId));
    if (!row || row.user_id !== viewer.user_id) return undefined;
    if (clock.now() - row.last_seen_at - this.#steps.forwardSeconds >= row.idle_seconds) return undefined;
    const known = this.#queues.get(queueId);
    if (known) return known;
    const queue = toQueue(row, viewer, clock.monotonicMs());
    this.#queues.set(queueId, queue);
    return queue;
  }

  #acknowledge(queue: Queue, lastEventId: number, newest: number): void {
    if (lastEventId < queue.ackedId && queue.ackedId > queue.beganId) throw EventPruned({ id: lastEventId });
    if (lastEventId > queue.ackedId && lastEventId > newest) throw EventNotInQueue({ id: lastEventId });
    queue.ackedId = Math.max(queue.ackedId, lastEventId);
    markSeen(queue, this.#options.clock);
  }

  #isIdle(queue: Queue): boolean {
    return this.#isUnpolledFor(queue, queue.idleSeconds);
  }

  /** Whether everything about it is in the database, and nobody is likely to poll it soon. */
  #isUnused(queue: Queue): boolean {
    return !queue.isDirty && this.#isUnpolledFor(queue, Math.min(queue.idleSeconds, KEEP_UNUSED_SECONDS));
  }

  #isUnpolledFor(queue: Queue, seconds: number): boolean {
    const idleMs = this.#options.clock.monotonicMs() - queue.seenMs;
    return !this.#delivery.isWaiting(queue.id) && idleMs >= seconds * 1000;
  }

  /** The client polls another process now: the poll that is parked here is answered as if the new one were here. */
  #moved(queueId: string): void {
    const queue = this.#queues.get(queueId);
    if (queue) queue.isHere = false;
    this.#delivery.dismiss(queueId);
  }

  #forget(queueId: string): void {
    this.#delivery.dismiss(queueId);
    this.#queues.delete(queueId);
  }

  async #refreshViewers(realmId: RealmId, userIds: ReadonlySet<UserId>): Promise<void> {
    const affected = [...this.#queues.values()].filter(
      (queue) => queue.realmId === realmId && userIds.has(queue.viewer.user_id),
    );
    if (affected.length === 0) return;
    const viewers = await this.#options.store.of(realmId).query((tx) => this.#options.viewers(tx, [...userIds]));
    const fresh = new Map(viewers.map((viewer) => [viewer.user_id, viewer]));
    const living = await this.#options.store.query((tx) => livingQueues(tx, affected));
    for (const queue of affected) {
      const viewer = fresh.get(queue.viewer.user_id);
      if (viewer?.is_active && living.has(queue.id)) queue.viewer = viewer;
      else this.#forget(queue.id);
    }
  }
}

function toQueue(row: QueueRow, viewer: Viewer, seenMs: number): Queue {
  const types = row.descriptor.event_types;
  return {
    id: row.queue_id,
    realmId: row.realm_id,
    descriptor: row.descriptor,
    types: types === null ? undefined : new Set(types),
    idleSeconds: row.idle_seconds,
    beganId: row.began_id,
    viewer,
    ackedId: row.acked_id,
    quietId: 0,
    polls: 0,
    heartbeatId: row.heartbeat_id,
    lastSeenAt: row.last_seen_at,
    seenMs,
    isHere: false,
    isDirty: false,
  };
}
