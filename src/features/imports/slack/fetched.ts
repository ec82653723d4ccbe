import { backOff, type Clock } from '#kernel/clock';
import { invariant } from '#kernel/errors';
import { type Outbound, OutboundFault, type OutboundReply } from '#kernel/outbound';
import type { Readable } from 'node:stream';
import type { Report } from '../report.ts';
import type { Scratch } from '../source.ts';

/** The only host that is requested and gets the token. */
const HOST = 'files.slack.com';
/** Timeout of one request for a file, in milliseconds. */
const TIMEOUT_MS = 120_000;
/** Most attempts to fetch a file. */
const TRIES = 4;
/** Seconds between two attempts; Slack may ask for more, up to a bound. */
const PAUSES = { first: 1, last: 30 };
const MAX_RETRY_AFTER_SECONDS = 60;
/** After this many files in a row that failed, no more are requested. */
const MAX_FAILED = 10;

/** Options of fetching. */
export interface Fetching {
  readonly outbound: Outbound;
  readonly clock: Pick<Clock, 'random'>;
  readonly wait: (ms: number) => Promise<void>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** A token of an app that may read files; addresses of Slack's own exports have one in them. */
  readonly token: string | undefined;
}

/** The position of a fetched file's bytes. */
export interface Stretch {
  readonly from: number;
  readonly length: number;
}

/** Fetches files that an export only refers to. A file that cannot be fetched stays a link to Slack. */
export class SlackFiles {
  readonly #fetching: Fetching;
  readonly #scratch: Scratch;
  readonly #report: Report;
  #failed = 0;

  constructor(fetching: Fetching, scratch: Scratch, report: Report) {
    this.#fetching = fetching;
    this.#scratch = scratch;
    this.#report = report;
  }

  /** Fetches a file from Slack; if that fails, adds a remark to the report and returns undefined. */
  async fetch(address: string, place: string): Promise<Stretch | undefined> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isTheirs = url?.protocol === 'https:' && url.host === HOST;
    if (!isTheirs || (this.#fetching.token === undefined && !url.searchParams.has('t'))) return undefined;
    if (this.#failed >= MAX_FAILED) return this.#skip(place, 'too many before it did not come');
    const result = await this.#fetchWithRetries(url.href);
    this.#failed = typeof result === 'string' ? this.#failed + 1 : 0;
    return typeof result === 'string' ? this.#skip(place, result) : result;
  }

  #skip(place: string, why: string): undefined {
    this.#report.remark('files left at Slack', `${place}: ${why}`);
  }

  /** Fetches a file with several attempts; returns the file, or the reason for the remark. */
  async #fetchWithRetries(url: string): Promise<Stretch | string> {
    for (let tries = 0; ; tries++) {
      const { result, retryAfter = 0 } = await this.#fetchOnce(url);
      if (result !== undefined) return result;
      if (tries === TRIES - 1) return 'Slack does not answer, or asks to wait';
      const pause = backOff(this.#fetching.clock, tries, PAUSES);
      await this.#fetching.wait(Math.max(pause, Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS)) * 1000);
    }
  }

  /** Makes one attempt. With neither a file nor a reason, another attempt may succeed. */
  async #fetchOnce(url: string): Promise<{ readonly result?: Stretch | string; readonly retryAfter?: number }> {
    const { outbound, maxBytes, token } = this.#fetching;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const reply = await outbound.open({ url, headers, maxBytes, timeoutMs: TIMEOUT_MS, maxRedirects: 0 });
      return await this.#read(reply);
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      if (error.reason === 'size') return { result: 'it is larger than files may be here' };
      // Slack redirects to a login page if the token is invalid or has expired.
      if (error.reason === 'redirects') return { result: 'the token does not open it' };
      return {};
    }
  }

  async #read({ status, headers, body }: OutboundReply<Readable>) {
    const isFile = status === 200 && !/^text\/html\b/.test(headers.get('content-type') ?? '');
    if (isFile) return { result: await this.#store(body) };
    body.destroy();
    if (status === 429 || status >= 500) return { retryAfter: Number(headers.get('retry-after')) || 0 };
    return { result: status === 404 ? 'it is there no more' : 'the token does not open it' };
  }

  async #store(body: Readable): Promise<Stretch> {
    let from: number | undefined;
    let length = 0;
    for await (const chunk of bytesIn(body)) {
      const at = await this.#scratch.append(chunk);
      from ??= at;
      length += chunk.length;
    }
    return { from: from ?? 0, length };
  }
}

/** Bytes of a fetched file that are read from the scratch file at once. */
const READ_BYTES = 1024 * 1024;

/** Yields the bytes of a fetched file. */
export async function* bytesOf(scratch: Scratch, { from, length }: Stretch): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += READ_BYTES) yield scratch.read(from + at, Math.min(READ_BYTES, length - at));
}

async function* bytesIn(body: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    invariant(chunk instanceof Uint8Array, 'a reply comes as bytes');
    yield chunk;
  }
}
