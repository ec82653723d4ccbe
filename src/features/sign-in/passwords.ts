import { assertOutsideTransaction } from '#kernel/scope';
import type { Algorithm } from '@node-rs/argon2';

/** Argon2id at 19 MiB, two passes, one lane: about 8 ms. */
const ARGON2ID: Algorithm = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hash that no password matches; verifying against it takes as long as against a real one. */
const DUMMY = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/**
 * Passwords that are hashed at once: each takes 19 MiB, and one of the four threads that files and compression also
 * need.
 */
const MAX_AT_ONCE = 1;
const waiting: (() => void)[] = [];
let atOnce = 0;

/** Runs work in turn, in the order of arrival. The number of requests under way bounds how many may wait. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce >= MAX_AT_ONCE) await new Promise<void>((begin) => waiting.push(begin));
  else atOnce++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atOnce--;
  }
}

/** The library is loaded with the first password, because many servers see none for hours. */
const load = () => import('@node-rs/argon2');

/** The hash to store for a password. Slow; never inside a transaction. */
export async function hashPassword(password: string): Promise<string> {
  assertOutsideTransaction('hashing a password');
  const { hash } = await load();
  return inTurn(() => hash(password.normalize('NFC'), OPTIONS));
}

/** Whether a password matches a hash. Takes the same time when there is no hash. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  assertOutsideTransaction('verifying a password');
  const { verify } = await load();
  const isRight = await inTurn(() => verify(stored ?? DUMMY, password.normalize('NFC'))).catch(() => false);
  return isRight && stored !== undefined;
}
