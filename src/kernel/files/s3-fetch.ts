import type { Clock, Timer } from '#kernel/clock';
import { FilesAway } from './away.ts';

/**
 * Milliseconds until the store must begin to answer: to a request without a body, and to one whose body has to arrive
 * first.
 */
const ANSWER_MS = 15_000;
const ANSWER_TO_BODY_MS = 60_000;
/** Most milliseconds between two parts of a file, and for all of them, where so many bytes bring another millisecond. */
const BYTES_MS = 30_000;
const BYTES_OF_MS = 4;

/** Node's fetch, kept before the process closes it to everybody else (kernel/outbound). */
const nodeFetch = globalThis.fetch;

/** The store did not answer in time. */
export class AnswerLate extends TypeError {
  override readonly name = 'AnswerLate';
}

/** Whether an error, or one of its causes, is that the store did not answer in time. */
export function isLate(error: unknown): boolean {
  return error instanceof AnswerLate || (error instanceof Error && error.cause !== undefined && isLate(error.cause));
}

/**
 * Returns Node's fetch with a time limit for the begin of the answer. It asks for uncompressed bytes, because a
 * compressed answer would not have the length it states, and follows no redirect, which would hand the signature on.
 */
export function timedFetch(clock: Clock): typeof fetch {
  return async (input, init) => {
    const late = new AbortController();
    const ms = init?.body === undefined || init.body === null ? ANSWER_MS : ANSWER_TO_BODY_MS;
    const timer = clock.after(ms, () => late.abort(new AnswerLate('the object store does not answer')));
    const signal = init?.signal ? AbortSignal.any([late.signal, init.signal]) : late.signal;
    const headers = { ...headersOf(init), 'accept-encoding': 'identity' };
    try {
      return await nodeFetch(input, { ...init, headers, signal, redirect: 'manual' });
    } finally {
      timer.cancel();
    }
  };
}

/** The bytes of an answer; fails when the next ones do not come, or drop by drop. A slow reader has all the time it needs. */
export async function* bytesOf(body: ReadableStream<Uint8Array>, clock: Clock): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let mayWaitMs = BYTES_MS;
  try {
    for (;;) {
      const before = clock.monotonicMs();
      const { done, value } = await inTime(reader.read(), clock, Math.min(BYTES_MS, mayWaitMs));
      if (done) return;
      mayWaitMs += value.length / BYTES_OF_MS - (clock.monotonicMs() - before);
      yield value;
    }
  } catch (error) {
    throw new FilesAway(error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(work: Promise<T>, clock: Clock, ms: number): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.after(ms, () => reject(new AnswerLate('the object store does not go on')));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer?.cancel();
  }
}

function headersOf(init: RequestInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(init?.headers).entries());
}
