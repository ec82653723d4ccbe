import type { Clock } from '#kernel/clock';
import type { ChannelId, RealmId, UserId } from '#kernel/ids';
import type { Log as Logger } from '#kernel/log';
import type { Store } from '#kernel/store';
import { receives } from './audience.ts';
import type { Entry } from './entry.ts';
import { heartbeat } from './heartbeat.ts';
import type { EventLog } from './log.ts';
import { type ParkedPoll, ParkedPolls, type Waiter } from './polls.ts';
import { inPortions, Portions } from './portions.ts';
import { eventsFor, markSeen, type Queue } from './queue.ts';
import type { MembershipIndex, MembershipIndexes } from './membership-index.ts';
import type { Viewer } from './viewer.ts';

/** Polls that are answered before other work of the process gets a turn, and characters of their answers. */
const SLICE = 500;
const SLICE_CHARACTERS = 500_000;
/**
 * After a round that answers this many polls, there is a pause, in which the served clients poll again and then find
 * all new entries together. Without it, answering every poll with one event would leave no time for anything else.
 */
const REST_FROM_POLLS = 50;
/** Milliseconds before another attempt when the database failed. */
const RETRY_MS = 250;
/** The pause grows with the polls that were answered, up to a bound that nobody notices in a chat. */
const REST_MS_PER_POLL = 0.25;
const MAX_REST_MS = 200;
/** A poll's answer takes no more entries when it has this many characters; the next poll gets the rest. */
const ENOUGH_CHARACTERS = 2_000_000;

interface Options {
  readonly store: Store;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly memberships: MembershipIndexes;
  readonly queues: ReadonlyMap<string, Queue>;
  readonly viewersChanged: (realmId: RealmId, userIds: ReadonlySet<UserId>) => Promise<void>;
}

/** A pause after a round of answers. */
interface Rest {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

type MembershipMap = ReadonlyMap<ChannelId, MembershipIndex>;

/** Delivers entries of the log to the parked polls. */
export class Delivery {
  readonly #options: Options;
  readonly #polls: ParkedPolls;
  readonly #portions: Portions;
  readonly #fresh = new Map<RealmId, Entry[]>();
  readonly #pumping = new Map<RealmId, Promise<void>>();
  readonly #due = new Map<RealmId, Set<ParkedPoll>>();
  readonly #resting = new Map<RealmId, Rest>();
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#portions = new Portions(options.clock);
    this.#polls = new ParkedPolls(options.clock, (realmId, due) => {
      this.#beat(realmId, due).catch((error: unknown) =>
        options.logger.warn({ err: error }, 'heartbeats could not be sent'),
      );
    });
    options.log.listen((realmId, entries) => this.#arrived(realmId, entries));
  }

  get parked(): number {
    return this.#polls.size;
  }

  isWaiting(queueId: string): boolean {
    return this.#polls.at(queueId) !== undefined;
  }

  /** Answers at once when the queue has events, else parks the poll. The caller has just read the log's head. */
  async serve(queue: Queue, dontBlock: boolean, waiter: Waiter): Promise<void> {
    this.dismiss(queue.id);
    const rest = dontBlock ? undefined : this.#resting.get(queue.realmId);
    await rest?.ended;
    if (this.#isStopped) return waiter.answer([]);
    // Other processes may have committed entries that this one has not heard of; a poll must not park above them.
    if (rest) await this.#options.log.newest(queue.realmId);
    const number = ++queue.polls;
    const found = nothingFound(queue);
    while (found.characters < ENOUGH_CHARACTERS && !this.#options.log.hasNothingAfter(queue.realmId, found.scanned)) {
      if (waiter.isGone()) return;
      if (queue.polls > number || this.#isStopped) return waiter.answer([]);
      await this.#lookOn(queue, found);
    }
    if (found.events.length > 0) return waiter.answer(found.events);
    // Nothing else runs between reading the log and parking, so no entry can slip through.
    return dontBlock || this.#isStopped ? waiter.answer([]) : this.#park(queue, waiter);
  }

  /** Looks through the next entries; those that are not in memory are looked through in turns with other polls. */
  async #lookOn(queue: Queue, found: Found): Promise<void> {
    const { log } = this.#options;
    const look = async () => {
      if (this.#isStopped) return;
      const newest = log.newestKnown(queue.realmId);
      const entries = await log.since(queue.realmId, found.scanned);
      // All that were left are of kinds that no longer exist.
      if (entries.length === 0) found.scanned = Math.max(found.scanned, newest);
      const memberships = await this.#membershipsFor(queue.realmId, entries);
      for (const portion of inPortions(entries)) {
        collect(queue, portion, memberships, found);
        if (portion.length < entries.length) await new Promise(setImmediate);
      }
    };
    if (log.isRecent(queue.realmId, found.scanned)) await look();
    else await this.#portions.take(queue.viewer.user_id, found.hasBegun, look);
    found.hasBegun = true;
  }

  async concerns(viewer: Viewer, realmId: RealmId, entries: readonly Entry[]): Promise<boolean> {
    const memberships = await this.#membershipsFor(realmId, entries);
    return entries.some((entry) => {
      const channel = entry.details.audience.channel;
      return (
        entry.details.viewers?.includes(viewer.user_id) ||
        receives(entry, viewer, channel && memberships.get(channel.id))
      );
    });
  }

  /** Answers the poll that is parked at a queue, if any, with no events. */
  dismiss(queueId: string): void {
    const poll = this.#polls.at(queueId);
    if (poll) this.#polls.answer(poll, []);
  }

  /** Counts parking as a sign of life, for queues whose last one was written more than `seconds` ago. */
  markParked(seconds: number): void {
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    for (const { queue } of this.#polls.all()) if (now - queue.seenMs >= seconds * 1000) markSeen(queue, clock);
  }

  /** Answers every poll with no events, and waits for what is being delivered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#polls.stop();
    for (const poll of this.#polls.all()) this.#polls.answer(poll, []);
    for (const { end } of this.#resting.values()) end();
    await Promise.all(this.#pumping.values());
  }

  #park(queue: Queue, waiter: Waiter): void {
    // Two polls of one queue may get here concurrently; the one that arrives later stays.
    this.dismiss(queue.id);
    const poll = this.#polls.park(queue, waiter);
    waiter.onGone(() => this.#polls.release(poll));
  }

  #arrived(realmId: RealmId, entries: readonly Entry[]): void {
    for (const entry of entries) {
      for (const { channel_id } of entry.details.memberships ?? [])
        this.#options.memberships.forget(realmId, channel_id);
    }
    const waiting = this.#fresh.get(realmId);
    if (waiting) waiting.push(...entries);
    else this.#fresh.set(realmId, [...entries]);
    if (this.#isStopped || this.#pumping.has(realmId)) return;
    const pumping = new Promise(setImmediate)
      .then(() => this.#pump(realmId))
      .catch((error: unknown) => {
        this.#options.logger.error({ err: error }, 'events could not be delivered');
        this.#pumping.delete(realmId);
      });
    this.#pumping.set(realmId, pumping);
  }

  /**
   * Delivers everything that has arrived, round by round; entries that arrive during a round are taken in the next one.
   */
  async #pump(realmId: RealmId): Promise<void> {
    for (let entries = this.#fresh.get(realmId); entries; entries = this.#fresh.get(realmId)) {
      this.#fresh.delete(realmId);
      const memberships = await this.#prepare(realmId, entries);
      if (!memberships) continue;
      const answered = await this.#deliver(realmId, entries, memberships);
      if (answered >= REST_FROM_POLLS) await this.#rest(realmId, answered);
      if (this.#isStopped) break;
    }
    // Reset at once: an entry that arrives a moment later must start a new delivery.
    this.#pumping.delete(realmId);
  }

  /**
   * Reads what delivering entries needs. If that fails, they are delivered later, but before all newer entries: a
   * client that got a newer one would acknowledge these without having seen them.
   */
  async #prepare(realmId: RealmId, entries: Entry[]): Promise<MembershipMap | undefined> {
    try {
      const viewers = new Set(entries.flatMap((entry) => entry.details.viewers ?? []));
      if (viewers.size > 0) await this.#options.viewersChanged(realmId, viewers);
      return await this.#membershipsFor(realmId, entries);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'events wait to be delivered');
      this.#fresh.set(realmId, [...entries, ...(this.#fresh.get(realmId) ?? [])]);
      if (!this.#isStopped) await this.#pause(RETRY_MS);
      else this.#fresh.delete(realmId);
      return undefined;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(ms, resolve);
    });
  }

  async #rest(realmId: RealmId, answered: number): Promise<void> {
    const ms = Math.min(MAX_REST_MS, answered * REST_MS_PER_POLL);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#options.clock.after(ms, end);
    this.#resting.set(realmId, { ended, end });
    await ended;
    this.#resting.delete(realmId);
  }

  /** Answers the polls for which there are events among the entries; returns how many. */
  async #deliver(realmId: RealmId, entries: readonly Entry[], memberships: MembershipMap): Promise<number> {
    const due = entries.some(isHeartbeat) ? this.#takeDue(realmId) : NOBODY;
    let answered = 0;
    let characters = 0;
    for (const poll of new Set([...due, ...this.#candidates(realmId, entries)])) {
      if (due.has(poll)) poll.queue.heartbeatId = entries.findLast(isHeartbeat)?.id ?? poll.queue.heartbeatId;
      const found = collect(poll.queue, entries, memberships, nothingFound(poll.queue));
      if (found.events.length === 0) continue;
      this.#polls.answer(poll, found.events);
      characters += found.characters;
      if (++answered % SLICE !== 0 && characters < SLICE_CHARACTERS) continue;
      characters = 0;
      await new Promise(setImmediate);
    }
    return answered;
  }

  /**
   * Returns the polls whose owner may be in the audience: those of the named users if all entries only name users,
   * otherwise all of the organization.
   */
  #candidates(realmId: RealmId, entries: readonly Entry[]): readonly ParkedPoll[] {
    if (entries.every((entry) => isForUsersOnly(entry))) {
      const users = new Set(entries.flatMap((entry) => entry.details.audience.users ?? []));
      return [...users].flatMap((user) => [...this.#polls.ofUser(user)]);
    }
    return [...this.#polls.ofRealm(realmId)];
  }

  /** Puts a heartbeat into the log; it reaches the due polls after every earlier entry. */
  async #beat(realmId: RealmId, due: readonly ParkedPoll[]): Promise<void> {
    const waiting = this.#due.get(realmId) ?? new Set();
    for (const poll of due) waiting.add(poll);
    this.#due.set(realmId, waiting);
    while (!this.#isStopped && this.#due.has(realmId)) {
      try {
        await this.#options.store.of(realmId).write(async (tx) => tx.emit(heartbeat({})));
        return;
      } catch (error) {
        // The polls stay due until the heartbeat is in the log: no other process sends their heartbeats.
        this.#options.logger.warn({ err: error }, 'heartbeats wait to be sent');
        await this.#pause(RETRY_MS);
      }
    }
  }

  #takeDue(realmId: RealmId): ReadonlySet<ParkedPoll> {
    const due = this.#due.get(realmId) ?? NOBODY;
    this.#due.delete(realmId);
    return due;
  }

  #membershipsFor(realmId: RealmId, entries: readonly Entry[]): Promise<MembershipMap> {
    return this.#options.memberships.of(
      realmId,
      entries.flatMap((entry) => entry.details.audience.channel?.id ?? []),
    );
  }
}

const NOBODY: ReadonlySet<ParkedPoll> = new Set();

/** What a poll has found so far. */
interface Found {
  readonly events: string[];
  characters: number;
  /** All entries up to this ID have been looked at. */
  scanned: number;
  hasBegun: boolean;
}

function nothingFound(queue: Queue): Found {
  return { events: [], characters: 0, scanned: Math.max(queue.ackedId, queue.quietId), hasBegun: false };
}

/** Adds the wire events that a queue has not acknowledged, oldest first, as many as fit into one answer. */
function collect(queue: Queue, entries: readonly Entry[], memberships: MembershipMap, found: Found): Found {
  for (const entry of entries) {
    if (found.characters >= ENOUGH_CHARACTERS) break;
    found.scanned = entry.last_id;
    if (entry.last_id <= queue.ackedId) continue;
    const channel = entry.details.audience.channel;
    for (const text of eventsFor(queue, entry, channel && memberships.get(channel.id), queue.ackedId)) {
      found.events.push(text);
      found.characters += text.length;
    }
    if (entry.id === queue.heartbeatId) found.events.push(`{"type":"heartbeat","id":${entry.id}}`);
    if (found.events.length === 0) queue.quietId = Math.max(queue.quietId, entry.last_id);
  }
  return found;
}

function isHeartbeat(entry: Entry): boolean {
  return entry.type.kind === 'heartbeat';
}

function isForUsersOnly(entry: Entry): boolean {
  const { everyone, members, admins, channel, listeners } = entry.details.audience;
  return !everyone && !members && !admins && !channel && !listeners;
}
