import { readFileSync } from 'node:fs';

/**
 * Measures the milliseconds of processor time that work takes in this process: unlike elapsed time, they do not grow
 * with other load.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of processor time that this thread has used; on Linux without those of threads that collect garbage. */
export function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/**
 * Measures the processor time, in milliseconds, of the longest turn of the event loop during work: everybody else waits
 * that long.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver, start] = [0, false, threadMs()];
  const look = () => {
    longest = Math.max(longest, threadMs() - start);
    start = threadMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return longest;
}
