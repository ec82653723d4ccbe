import { type Clock, repeat } from '#kernel/clock';
import type { Log } from '#kernel/log';
import type pg from 'pg';

/** SQL for the database's time, in milliseconds since 1970. */
export const NOW_MS = 'extract(epoch from clock_timestamp()) * 1000';
/** Milliseconds between two checks, besides those at each new connection. */
const EVERY_MS = 60_000;

/** Adjusts the clock to the database's time, which all processes share. */
export function tellTime(clock: Clock, log: Log | undefined, nowMs: unknown): void {
  const movedMs = clock.agree?.(Number(nowMs)) ?? 0;
  if (movedMs !== 0)
    log?.warn({ seconds: movedMs / 1000 }, "this machine's clock is not the database's, whose time is taken");
}

/** Checks the time regularly, because a clock may be set; returns a function that stops this. */
export function keepTime(pool: pg.Pool, clock: Clock, log: Log | undefined): () => Promise<void> {
  if (!clock.agree) return () => Promise.resolve();
  const look = async () => {
    const { rows } = await pool.query<{ now_ms: unknown }>(`select ${NOW_MS} as now_ms`);
    tellTime(clock, log, rows[0]?.now_ms);
  };
  // Fails while the database is unreachable; then there is no time to read.
  return repeat(clock, look, { everyMs: EVERY_MS, failed: () => undefined });
}
