import type { Clock, Timer } from './clock.ts';
import { randomToken } from './system-clock.ts';

interface Pending {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it; timers fire in order while it is moved. */
export class TestClock implements Clock {
  #nowMs: number;
  readonly #pending = new Set<Pending>();

  constructor(startMs = Date.UTC(2026, 10, 21, 9, 0, 0)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  now(): number {
    return Math.floor(this.#nowMs / 1000);
  }

  random(): number {
    return 0.5;
  }

  token(length: number): string {
    return randomToken(length);
  }

  after(ms: number, task: () => void): Timer {
    const pending = { at: this.#nowMs + ms, task };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Moves time on by `ms`, firing every timer that falls due, in order. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#pending.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.at);
      next.task();
    }
    this.#nowMs = end;
  }

  #next(end: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.at <= end && (!first || pending.at < first.at)) first = pending;
    }
    return first;
  }
}
