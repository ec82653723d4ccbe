import { type Clock, repeat } from '#kernel/clock';
import type { Log } from '#kernel/log';
import type pg from 'pg';

/** What tells the time of the database, in milliseconds since 1970. */
export const NOW_MS = 'extract(epoch from clock_timestamp()) * 1000';
/** Milliseconds between two looks beside those at each new connection. */
const EVERY_MS = 60_000;

/** Tells the clock what time it is at the database, where all processes meet. */
export function tellTime(clock: Clock, log: Log | undefined, nowMs: unknown): void {
  const movedMs = clock.agree?.(Number(nowMs)) ?? 0;
  if (movedMs !== 0)
    log?.warn({ seconds: movedMs / 1000 }, "this machine's clock is not the database's, whose time is taken");
}

/** Looks now and then, for somebody may set a clock; ends when the function that it gives is called. */
export function keepTime(pool: pg.Pool, clock: Clock, log: Log | undefined): () => Promise<void> {
  if (!clock.agree) return () => Promise.resolve();
  const look = async () => {
    const { rows } = await pool.query<{ now_ms: unknown }>(`select ${NOW_MS} as now_ms`);
    tellTime(clock, log, rows[0]?.now_ms);
  };
  // While the database is away there is nothing to take.
  return repeat(clock, look, { everyMs: EVERY_MS, failed: () => undefined });
}
