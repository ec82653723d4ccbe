import type { Clock, Timer } from '#kernel/clock';

/** Milliseconds in which the store begins to answer; of a request with a body, which has to arrive first. */
const ANSWER_MS = 15_000;
const ANSWER_TO_BODY_MS = 60_000;
/** Milliseconds that we wait for the next bytes of an answer. */
const BYTES_MS = 30_000;

/** The store did not answer in time. */
class AnswerLate extends TypeError {
  override readonly name = 'AnswerLate';
}

/** Whether a request failed, or one that it caused, because nothing came. */
export function isLate(error: unknown): boolean {
  return error instanceof AnswerLate || (error instanceof Error && error.cause !== undefined && isLate(error.cause));
}

/**
 * Node's fetch, asking for the bytes as they are (a packed answer would not have the length it states), following no
 * redirect, which would hand the signature on, and waiting for an answer no longer than it may take.
 */
export function timedFetch(clock: Clock): typeof fetch {
  return async (input, init) => {
    const late = new AbortController();
    const ms = init?.body === undefined || init.body === null ? ANSWER_MS : ANSWER_TO_BODY_MS;
    const timer = clock.after(ms, () => late.abort(new AnswerLate('the object store does not answer')));
    const signal = init?.signal ? AbortSignal.any([late.signal, init.signal]) : late.signal;
    const headers = { ...headersOf(init), 'accept-encoding': 'identity' };
    try {
      return await fetch(input, { ...init, headers, signal, redirect: 'manual' });
    } finally {
      timer.cancel();
    }
  };
}

/** The bytes of an answer; fails when the next ones do not come. A slow reader has all the time it needs. */
export async function* bytesOf(body: ReadableStream<Uint8Array>, clock: Clock): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), clock);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(work: Promise<T>, clock: Clock): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.after(BYTES_MS, () => reject(new AnswerLate('the object store does not go on')));
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
