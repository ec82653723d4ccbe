import type { Clock, Timer } from '#kernel/clock';
import type { Log } from '#kernel/log';
import { DatabaseAway } from '../away.ts';

/** Milliseconds for which work waits for a database that went away, counted from then; later it is refused at once. */
export const RIDE_OUT_MS = 2000;
/** Milliseconds before a database that is away is looked at first, doubled each time up to the bound: most are back soon. */
const FIRST_PROBE_MS = 10;
const PROBE_EVERY_MS = 50;

/** Knows whether the database can be reached: work waits here or is refused instead of trying each for itself. */
export class Gate {
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  readonly #probe: () => Promise<void>;
  #away: { readonly sinceMs: number; cause: unknown } | undefined;
  #waiting: (() => void)[] = [];
  #timer: Timer | undefined;
  #isClosed = false;
  #hasOpened = false;

  constructor(clock: Clock, log: Log | undefined, probe: () => Promise<void>) {
    this.#clock = clock;
    this.#log = log;
    this.#probe = probe;
  }

  /** Why the database can not be reached; undefined as far as is known that it can. */
  get fault(): DatabaseAway | undefined {
    return this.#away && new DatabaseAway('undone', this.#away.cause);
  }

  /** Lets work through, once the database is back where that takes no longer than `RIDE_OUT_MS`. */
  async pass(): Promise<void> {
    if (!this.#away) return;
    const left = this.#away.sinceMs + RIDE_OUT_MS - this.#clock.monotonicMs();
    if (left > 0)
      await new Promise<void>((resolve) => {
        const timer = this.#clock.after(left, resolve);
        this.#waiting.push(() => {
          timer.cancel();
          resolve();
        });
      });
    if (this.fault) throw this.fault;
  }

  /** Whether the database has been reached before. One that never was is not waited for: the configuration may be wrong. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Notes that a connection could be made. */
  opened(): void {
    this.#hasOpened = true;
  }

  /** Notes that no connection could be made, and looks for the database until one can. */
  close(cause: unknown): void {
    if (this.#away) this.#away.cause = cause;
    if (this.#away || this.#isClosed || !this.#hasOpened) return;
    this.#away = { sinceMs: this.#clock.monotonicMs(), cause };
    this.#log?.warn({ err: cause }, 'the database can not be reached');
    this.#look(FIRST_PROBE_MS);
  }

  /** Whether the database can be reached now. */
  async check(): Promise<boolean> {
    if (this.#away) return false;
    try {
      await this.#probe();
      return true;
    } catch (error) {
      this.close(error);
      return false;
    }
  }

  stop(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #look(ms: number): void {
    this.#timer = this.#clock.after(ms, () => {
      this.#probe().then(
        () => this.#open(),
        (error: unknown) => {
          if (this.#away) this.#away.cause = error;
          if (!this.#isClosed) this.#look(Math.min(PROBE_EVERY_MS, 2 * ms));
        },
      );
    });
  }

  #open(): void {
    const seconds = Math.round((this.#clock.monotonicMs() - (this.#away?.sinceMs ?? 0)) / 100) / 10;
    this.#away = undefined;
    this.#log?.info({ seconds }, 'the database can be reached again');
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
