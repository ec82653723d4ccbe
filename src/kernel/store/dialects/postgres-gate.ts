import type { Clock, Timer } from '#kernel/clock';
import type { Log } from '#kernel/log';
import { DatabaseAway } from '../away.ts';

/** Milliseconds for which work waits after the database became unreachable; after that it is refused at once. */
export const RIDE_OUT_MS = 2000;
/**
 * Milliseconds before an unreachable database is probed, doubled each time up to the limit, because most are back soon.
 */
const FIRST_PROBE_MS = 10;
const PROBE_EVERY_MS = 50;

/** Tracks whether the database can be reached: work waits here or is refused instead of connecting. */
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

  /** The error for work while the database is known to be unreachable; otherwise undefined. */
  get fault(): DatabaseAway | undefined {
    return this.#away && new DatabaseAway('undone', this.#away.cause);
  }

  /** Lets work pass, or waits for the database for up to `RIDE_OUT_MS` after it became unreachable. */
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

  /** Whether the database has been reached before. If not, the configuration may be wrong, so there is no waiting. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Records a successful connection. */
  opened(): void {
    this.#hasOpened = true;
  }

  /** Records a failed connection, and probes the database until one succeeds. */
  close(cause: unknown): void {
    if (this.#away) this.#away.cause = cause;
    if (this.#away || this.#isClosed || !this.#hasOpened) return;
    this.#away = { sinceMs: this.#clock.monotonicMs(), cause };
    this.#log?.warn({ err: cause }, 'the database cannot be reached');
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
