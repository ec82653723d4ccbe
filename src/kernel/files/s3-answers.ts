import type { Clock, Timer } from '#kernel/clock';
import { AnswerLate, timedFetch } from './s3-fetch.ts';

/** Milliseconds until an answer has ended; and where the store puts parts together meanwhile, which may take minutes. */
const WHOLE_MS = 30_000;
const WHOLE_AFTER_POST_MS = 300_000;
/** Most bytes of an answer: a page of a list has about half a megabyte, and an error less than a thousand bytes. */
const MOST_BYTES = { ok: 2 * 1024 * 1024, error: 8 * 1024 };
/** Pieces in which an answer may come, and one more for so many bytes of the bound: each takes memory of its own. */
const PIECES = 1_000;
const BYTES_OF_PIECE = 64;
/** Most tags of an answer, and most elements within one another. A page has about 24,000, in three levels. */
const MAX_TAGS = 50_000;
const MAX_DEPTH = 8;

type Fetch = typeof fetch;

/** Returns a fetch for everything but the bytes of files: the answers are read whole, within bounds of time and size. */
export function wholeFetch(clock: Clock): Fetch {
  const begin = timedFetch(clock);
  return async (input, init) => whole(await begin(input, init), clock, init?.method);
}

/** Returns a fetch for the bytes of files, which come as a stream, however many they are; other answers are read whole. */
export function fileFetch(clock: Clock): Fetch {
  const begin = timedFetch(clock);
  return async (input, init) => {
    const answer = await begin(input, init);
    return answer.ok ? answer : whole(answer, clock, init?.method);
  };
}

/** Returns a fetch that fails after so many requests: for a call of the library that asks until it has what it wants. */
export function atMost(requests: number, ask: Fetch): Fetch {
  let left = requests;
  return async (input, init) => {
    if (left-- <= 0) throw new Error('the object store gives a list without an end');
    return ask(input, init);
  };
}

/**
 * The answer with its body in memory; without one if it is too long or not like those of stores. The library would read any
 * number of bytes for any time, and parse them in quadratic time.
 */
async function whole(answer: Response, clock: Clock, method = 'GET'): Promise<Response> {
  const ms = method === 'POST' ? WHOLE_AFTER_POST_MS : WHOLE_MS;
  const text = answer.body ? await textOf(answer.body, answer.ok ? MOST_BYTES.ok : MOST_BYTES.error, clock, ms) : '';
  return new Response(text !== '' && isPlainXml(text) ? text : null, {
    status: answer.status,
    headers: answer.headers,
  });
}

async function textOf(body: ReadableStream<Uint8Array>, most: number, clock: Clock, ms: number): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let timer: Timer | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = clock.after(ms, () => reject(new AnswerLate('the object store does not end its answer')));
  });
  try {
    for (let size = 0; ; ) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(chunks).toString('utf8');
      size += value.length;
      if (size > most || chunks.length > PIECES + most / BYTES_OF_PIECE) return '';
      chunks.push(value);
    }
  } finally {
    timer?.cancel();
    await reader.cancel().catch(() => undefined);
  }
}

/** Whether a text is XML as stores write it: all elements end, and there are not too many. Takes linear time. */
export function isPlainXml(text: string): boolean {
  const open: string[] = [];
  let tags = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const end = text.indexOf('>', at);
    const tag = text.slice(at + 1, end);
    if (end === -1 || ++tags > MAX_TAGS || tag.includes('<')) return false;
    at = end + 1;
    const name = /^[A-Za-z_][\w.-]*/.exec(tag)?.[0];
    if (tag.startsWith('/')) {
      if (open.pop() !== tag.slice(1)) return false;
    } else if (name === undefined ? !tag.startsWith('?') : open.length >= MAX_DEPTH) return false;
    else if (name !== undefined && !tag.endsWith('/')) open.push(name);
  }
  return open.length === 0;
}
