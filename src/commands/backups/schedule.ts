import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repeat } from '#kernel/clock';
import type { Config } from '#kernel/config';
import type { Context } from '#kernel/context';
import { listMade } from './scheduled.ts';

/** Milliseconds until the first check whether a backup is due, and between two checks, which also retry. */
const FIRST_MS = 60_000;
const EVERY_MS = 900_000;
/** Milliseconds after which a backup is aborted. */
const LIMIT_MS = 6 * 3_600_000;

/** The program that makes a backup: this one, with its environment. */
interface Program {
  readonly main: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Makes backups while the server runs, each in a process of its own so that requests do not wait. Returns a function
 * that ends this, aborting a running backup.
 */
export function backUpRegularly(
  { backupDir, backupHours }: Pick<Config, 'backupDir' | 'backupHours'>,
  { clock, log, metrics }: Pick<Context, 'clock' | 'log' | 'metrics'>,
  { main = '', environment }: Program = { main: process.argv[1], environment: process.env },
): () => Promise<void> {
  if (backupDir === undefined) return () => Promise.resolve();
  const ending = new AbortController();
  let last = 0;
  metrics.gauge(
    'roost_backup_timestamp_seconds',
    'When the newest backup was begun that the server made; 0: none',
    () => last,
  );
  const look = async () => {
    last = (await listMade(backupDir)).find(({ isWhole }) => isWhole)?.at ?? 0;
    if (clock.now() - last < backupHours * 3600) return;
    const command = [...process.execArgv, main, 'backup', '--scheduled'];
    await promisify(execFile)(process.execPath, command, {
      env: environment,
      signal: ending.signal,
      timeout: LIMIT_MS,
    });
    last = (await listMade(backupDir)).find(({ isWhole }) => isWhole)?.at ?? last;
  };
  const failed = (error: unknown) => {
    if (!ending.signal.aborted) log.room('backup').error({ err: error }, 'no backup could be made');
  };
  const stop = repeat(clock, look, { everyMs: EVERY_MS, firstMs: FIRST_MS, failed });
  return async () => {
    ending.abort();
    await stop();
  };
}
