import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { slowness } from './machine.ts';

setFlagsFromString('--expose-gc');
const gc: unknown = new Script('gc').runInNewContext();

/** Collects the garbage that is there, so that it is not collected while something is measured. */
export function collectGarbage(): void {
  if (typeof gc === 'function') gc();
}

/** Measurements of the same work, of which the least counts: what disturbs one seldom disturbs all. */
const ROUNDS = 8;

/**
 * Measures the milliseconds of processor time that work takes in this process, as on a machine of the usual speed:
 * unlike elapsed time, they do not grow with other load.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const speed = slowness();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / speed;
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
 * Turns of the event loop during work: the longest in milliseconds of processor time, as on a machine of the usual
 * speed, and its share of all of it.
 */
export interface Turns {
  readonly ms: number;
  /** From 0 to 1; 1 is work of one piece. It does not change with the speed of the machine. */
  readonly share: number;
}

/** Measures the longest turn of the event loop during work: everybody else waits that long. */
export async function longestTurn(work: () => Promise<unknown>): Promise<Turns> {
  const speed = slowness();
  collectGarbage();
  const begun = threadMs();
  let [longest, isOver, start] = [0, false, begun];
  const look = () => {
    longest = Math.max(longest, threadMs() - start);
    start = threadMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return { ms: longest / speed, share: longest / (threadMs() - begun) };
}

/** Measures the longest turn of the event loop during work in milliseconds. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  return (await longestTurn(work)).ms;
}

/** The least of up to eight measurements, and of fewer once one is below the bar. */
export async function least(bar: number, measure: () => Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && found >= bar; round++) found = Math.min(found, await measure());
  return found;
}
