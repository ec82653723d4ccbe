import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from './clock.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The machine's own clock and randomness. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  now: () => Math.floor(Date.now() / 1000),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  after: setTimer,
  token: randomToken,
};

/** Resolves after so many milliseconds, and keeps the process alive until then, which a timer does not; for commands. */
export function stayFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function setTimer(ms: number, task: () => void): Timer {
  const handle = setTimeout(task, ms);
  handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** Letters and digits drawn evenly: bytes past the last whole multiple of 62 are thrown away. */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    const byte = nextByte();
    if (byte < 248) token += ALPHABET[byte % 62];
  }
  return token;
}

/** Random bytes fetched at once: every request needs some, and each call to the system is expensive. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

function nextByte(): number {
  if (used === pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  return pool[used++] ?? 0;
}
