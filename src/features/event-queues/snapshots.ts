import type { Actor } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import type { EventLog, EventQueues } from '#kernel/events';
import { combined, type Packed, type Segment } from '#kernel/gzip';

/** Most bytes of cached snapshots; those unused for longest go first. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Most seconds for which a snapshot is used: some fields depend on the time of day. */
const MAX_AGE_SECONDS = 60;

/** State of one viewer, ready to be sent: the fields as JSON members, each after a comma. */
export interface Snapshot {
  readonly segments: readonly Segment[];
  /** All fields, compressed. */
  readonly packed: Packed;
  /** Seconds since 1970 when it was read. */
  readonly readAt: number;
  /** The position of the log that it shows; advances while nothing changes for the viewer. */
  position: number;
}

/**
 * Snapshots of register state, each for one viewer with one view and one role. By the law of sync state changes only
 * together with an event to the viewer: as long as none has come, the bytes still are the state.
 */
export class Snapshots {
  readonly #events: EventLog;
  readonly #queues: EventQueues;
  readonly #clock: Clock;
  readonly #cached = new Map<string, Snapshot>();
  /** How many snapshots hold each object, so that a shared one is counted once. */
  readonly #uses = new Map<Retained, number>();
  #bytes = 0;
  #isSweeping = false;

  constructor(events: EventLog, queues: EventQueues, clock: Clock) {
    this.#events = events;
    this.#queues = queues;
    this.#clock = clock;
  }

  /** How many are cached. */
  get size(): number {
    return this.#cached.size;
  }

  /** Returns the snapshot under `key` if it still is the viewer's state, advanced to the newest position. */
  async find(key: string, { realmId, viewer }: Actor, now: number): Promise<Snapshot | undefined> {
    const snapshot = this.#cached.get(key);
    if (!snapshot) return undefined;
    if (now - snapshot.readAt < MAX_AGE_SECONDS) {
      await this.#events.newest(realmId);
      const entries = await this.#events.since(realmId, snapshot.position);
      if (!(await this.#queues.concerns(viewer, realmId, entries))) {
        snapshot.position = entries.at(-1)?.last_id ?? snapshot.position;
        if (this.#cached.delete(key)) this.#cached.set(key, snapshot);
        return snapshot;
      }
    }
    this.#drop(key);
    return undefined;
  }

  /** Caches what was read at `position`. */
  add(key: string, segments: readonly Segment[], position: number, now: number): Snapshot {
    const packed = combined(segments.map((one) => one.packed));
    const snapshot: Snapshot = { segments, packed, readAt: now, position };
    this.#drop(key);
    this.#store(key, snapshot);
    this.#sweepLater();
    return snapshot;
  }

  /** Drops expired snapshots after a delay: after a burst, no request may come for long. */
  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#clock.after(MAX_AGE_SECONDS * 1000, () => {
      this.#isSweeping = false;
      const now = this.#clock.now();
      for (const [key, { readAt }] of this.#cached) if (now - readAt >= MAX_AGE_SECONDS) this.#drop(key);
      if (this.#cached.size > 0) this.#sweepLater();
    });
  }

  #store(key: string, snapshot: Snapshot): void {
    this.#cached.set(key, snapshot);
    for (const held of heldBy(snapshot)) this.#use(held);
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const snapshot = this.#cached.get(key);
    if (!snapshot) return;
    this.#cached.delete(key);
    for (const held of heldBy(snapshot)) this.#release(held);
  }

  #use(held: Retained): void {
    const uses = this.#uses.get(held) ?? 0;
    if (uses === 0) this.#bytes += sizeOf(held);
    this.#uses.set(held, uses + 1);
  }

  #release(held: Retained): void {
    const uses = this.#uses.get(held) ?? 0;
    if (uses > 1) this.#uses.set(held, uses - 1);
    else if (this.#uses.delete(held)) this.#bytes -= sizeOf(held);
  }
}

/** What a snapshot holds in memory: its own segments, and the segment lists that the others were cut from. */
type Retained = Segment | { readonly size: number };

function heldBy({ segments }: Snapshot): ReadonlySet<Retained> {
  return new Set(segments.map((one) => one.cutFrom ?? one));
}

function sizeOf(held: Retained): number {
  if ('size' in held) return held.size;
  return held.packed.deflated.reduce((sum, { length }) => sum + length, held.text.length);
}
