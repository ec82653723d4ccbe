import type { Clock, Timer } from '#kernel/clock';
import type { RealmId } from '#kernel/ids';
import { markSeen, type Queue } from './queue.ts';

/** Earliest and latest second after which a parked poll gets a heartbeat. See protocol/queues#waiting. */
const HEARTBEAT_AFTER_SECONDS = 45;
const HEARTBEAT_SPREAD_SECONDS = 10;

/** A connection that waits for events. */
export interface Waiter {
  /** Answers with these wire events, as JSON texts; once. */
  answer(events: readonly string[]): void;
  /** Whether the client has disconnected. */
  isGone(): boolean;
  /** Calls `listener` when the client disconnects before the answer. */
  onGone(listener: () => void): void;
}

/** A poll that is parked at its queue. */
export interface ParkedPoll {
  readonly queue: Queue;
  readonly waiter: Waiter;
  /** When it is due for a heartbeat, in seconds of the monotonic clock. */
  readonly dueSecond: number;
}

/** Called about once a second with the polls of one organization that are due for a heartbeat. */
type HeartbeatHandler = (realmId: RealmId, due: readonly ParkedPoll[]) => void;

/** All parked polls of this process: by queue, user and organization, and on a timer wheel for their heartbeats. */
export class ParkedPolls {
  readonly #clock: Clock;
  readonly #onHeartbeat: HeartbeatHandler;
  readonly #byQueue = new Map<string, ParkedPoll>();
  readonly #byUser = new Map<number, Set<ParkedPoll>>();
  readonly #byRealm = new Map<RealmId, Set<ParkedPoll>>();
  /** The polls by the second in which their heartbeat is due. */
  readonly #wheel = new Map<number, Set<ParkedPoll>>();
  /** The next second of the wheel. */
  #turned: number;
  #timer: Timer | undefined;

  constructor(clock: Clock, onHeartbeat: HeartbeatHandler) {
    this.#clock = clock;
    this.#onHeartbeat = onHeartbeat;
    this.#turned = this.#second();
  }

  get size(): number {
    return this.#byQueue.size;
  }

  at(queueId: string): ParkedPoll | undefined {
    return this.#byQueue.get(queueId);
  }

  ofUser(userId: number): Iterable<ParkedPoll> {
    return this.#byUser.get(userId) ?? [];
  }

  ofRealm(realmId: RealmId): Iterable<ParkedPoll> {
    return this.#byRealm.get(realmId) ?? [];
  }

  all(): Iterable<ParkedPoll> {
    return this.#byQueue.values();
  }

  park(queue: Queue, waiter: Waiter): ParkedPoll {
    const wait = HEARTBEAT_AFTER_SECONDS + Math.floor(this.#clock.random() * HEARTBEAT_SPREAD_SECONDS);
    const poll = { queue, waiter, dueSecond: this.#second() + wait };
    this.#byQueue.set(queue.id, poll);
    addTo(this.#byUser, queue.viewer.user_id, poll);
    addTo(this.#byRealm, queue.realmId, poll);
    addTo(this.#wheel, poll.dueSecond, poll);
    this.#timer ??= this.#turnLater();
    return poll;
  }

  /** Removes a poll; false when it was already gone. */
  release(poll: ParkedPoll): boolean {
    if (this.#byQueue.get(poll.queue.id) !== poll) return false;
    this.#byQueue.delete(poll.queue.id);
    removeFrom(this.#byUser, poll.queue.viewer.user_id, poll);
    removeFrom(this.#byRealm, poll.queue.realmId, poll);
    removeFrom(this.#wheel, poll.dueSecond, poll);
    // The queue was alive while the poll was parked; its idle time begins now.
    markSeen(poll.queue, this.#clock);
    return true;
  }

  /** Removes a poll and answers it. */
  answer(poll: ParkedPoll, events: readonly string[]): void {
    if (this.release(poll)) poll.waiter.answer(events);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #second(): number {
    return Math.floor(this.#clock.monotonicMs() / 1000);
  }

  #turnLater(): Timer {
    return this.#clock.after(1000, () => this.#turn());
  }

  #turn(): void {
    const now = this.#second();
    const due = new Map<RealmId, ParkedPoll[]>();
    for (; this.#turned <= now; this.#turned++) {
      for (const poll of this.#wheel.get(this.#turned) ?? []) {
        const others = due.get(poll.queue.realmId);
        if (others) others.push(poll);
        else due.set(poll.queue.realmId, [poll]);
      }
    }
    this.#timer = this.#byQueue.size > 0 ? this.#turnLater() : undefined;
    for (const [realmId, polls] of due) this.#onHeartbeat(realmId, polls);
  }
}

function addTo<K>(index: Map<K, Set<ParkedPoll>>, key: K, poll: ParkedPoll): void {
  const group = index.get(key);
  if (group) group.add(poll);
  else index.set(key, new Set([poll]));
}

function removeFrom<K>(index: Map<K, Set<ParkedPoll>>, key: K, poll: ParkedPoll): void {
  const group = index.get(key);
  group?.delete(poll);
  if (group?.size === 0) index.delete(key);
}
