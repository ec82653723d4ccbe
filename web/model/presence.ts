import { type ReadonlySignal, signal } from '@preact/signals';
import { Table } from './table.ts';

/** When somebody was last seen; seconds since 1970. */
export interface Seen {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

export type Presence = 'active' | 'idle' | 'offline';

/** Who is active, idle or offline. Presence expires without an event, so each tick of the clock also redraws views. */
export class Presences {
  readonly table = new Table<Seen>();
  /** The server's time in whole seconds since 1970, as of the last tick. */
  readonly #now = signal(0);
  #offlineSeconds = 140;

  load(seen: Readonly<Record<string, unknown>> = {}, offlineSeconds = this.#offlineSeconds): void {
    this.#offlineSeconds = offlineSeconds;
    this.table.load(Object.entries(seen).flatMap(([id, one]) => (isSeen(one) ? [[Number(id), one] as const] : [])));
  }

  /** Takes over presences from an event or from the answer to a ping. */
  merge(seen: Readonly<Record<string, unknown>>): void {
    for (const [id, one] of Object.entries(seen)) if (isSeen(one)) this.table.set(Number(id), one);
  }

  /** Sets the server's time, in seconds. */
  tick(now: number): void {
    this.#now.value = Math.floor(now);
  }

  get now(): ReadonlySignal<number> {
    return this.#now;
  }

  of(userId: number): Presence {
    return this.#judge(this.table.get(userId), this.#now.value);
  }

  /** Returns the presence without subscribing to it. */
  peek(userId: number): Presence {
    return this.#judge(this.table.peek(userId), this.#now.peek());
  }

  #judge(seen: Seen | undefined, now: number): Presence {
    if (!seen) return 'offline';
    const since = now - this.#offlineSeconds;
    if (seen.active_timestamp > since) return 'active';
    return seen.idle_timestamp > since ? 'idle' : 'offline';
  }
}

function isSeen(value: unknown): value is Seen {
  return typeof value === 'object' && value !== null && 'active_timestamp' in value && 'idle_timestamp' in value;
}
