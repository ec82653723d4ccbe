import { rmSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Begins the names of the temporary folders; the process that made it follows. */
const START = 'roost-import-';
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Makes a temporary folder that only this user can read, while `use` runs. It is also removed when the process is told to end;
 * one that a killed process left, which may be as large as the disk, is removed by the next one.
 */
export async function inOwnFolder(use: (folder: string) => Promise<void>): Promise<void> {
  await removeLeft();
  const folder = await mkdtemp(join(tmpdir(), `${START}${process.pid}-`));
  const end = (signal: NodeJS.Signals) => {
    for (const one of SIGNALS) process.off(one, end);
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await use(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what this user's processes that have ended left. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(START) ? Number(/^(\d+)-/.exec(name.slice(START.length))?.[1] ?? 0) : 0;
    const folder = join(tmpdir(), name);
    if (pid > 0 && !isRunning(pid) && (await isOwn(folder)))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether nobody else can change what is in a folder, by which they could have something else removed. */
async function isOwn(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
