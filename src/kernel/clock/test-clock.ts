import type { Clock, Timer } from './clock.ts';
import { randomToken } from './system-clock.ts';

interface Pending {
  readonly at: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it; timers fire in order while it is moved. */
export class TestClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
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

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  random(): number {
    return 0.5;
  }

  token(length: number): string {
    return randomToken(length);
  }

  after(ms: number, task: () => void): Timer {
    const pending = { at: this.#elapsedMs + ms, task };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Moves time on by `ms`, firing every timer that falls due, in order. */
  advance(ms: number): void {
    const end = this.#elapsedMs + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#pending.delete(next);
      this.#pass(Math.max(0, next.at - this.#elapsedMs));
      next.task();
    }
    this.#pass(end - this.#elapsedMs);
  }

  /** Sets the time of day without letting time pass, as when somebody corrects a machine's clock. */
  step(ms: number): void {
    this.#nowMs += ms;
  }

  #pass(ms: number): void {
    this.#elapsedMs += ms;
    this.#nowMs += ms;
  }

  #next(end: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.at <= end && (!first || pending.at < first.at)) first = pending;
    }
    return first;
  }
}
