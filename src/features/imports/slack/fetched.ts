import { backOff, type Clock } from '#kernel/clock';
import { invariant } from '#kernel/errors';
import { type Outbound, OutboundFault, type OutboundReply } from '#kernel/outbound';
import type { Readable } from 'node:stream';
import type { Report } from '../report.ts';
import type { Scratch } from '../source.ts';

/** The only host that is asked, and told the token. */
const HOST = 'files.slack.com';
/** Milliseconds for a file. */
const TIMEOUT_MS = 120_000;
/** Times that a file is asked for. */
const TRIES = 4;
/** Seconds between two tries; Slack may ask for more, up to a bound. */
const PAUSES = { first: 1, last: 30 };
const MAX_ASKED_SECONDS = 60;
/** After so many files in a row that did not come no other one is asked for. */
const MAX_FAILED = 10;

/** What fetching needs. */
export interface Fetching {
  readonly outbound: Outbound;
  readonly clock: Pick<Clock, 'random'>;
  readonly wait: (ms: number) => Promise<void>;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** A token of an app that may read files; addresses of Slack's own exports have one in them. */
  readonly token: string | undefined;
}

/** Where the bytes of a file that came lie. */
export interface Stretch {
  readonly from: number;
  readonly length: number;
}

/** Fetches files that an export names only. What does not come stays a link. */
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

  /** Fetches a file; undefined, and named, where it does not come. */
  async fetch(address: string, place: string): Promise<Stretch | undefined> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isTheirs = url?.protocol === 'https:' && url.host === HOST;
    if (!isTheirs || (this.#fetching.token === undefined && !url.searchParams.has('t'))) return undefined;
    if (this.#failed >= MAX_FAILED) return this.#left(place, 'too many before it did not come');
    const came = await this.#again(url.href);
    this.#failed = typeof came === 'string' ? this.#failed + 1 : 0;
    return typeof came === 'string' ? this.#left(place, came) : came;
  }

  #left(place: string, why: string): undefined {
    this.#report.remark('files left at Slack', `${place}: ${why}`);
  }

  /** The file, or why it does not come. */
  async #again(url: string): Promise<Stretch | string> {
    for (let tries = 0; ; tries++) {
      const { came, askedSeconds = 0 } = await this.#once(url);
      if (came !== undefined) return came;
      if (tries === TRIES - 1) return 'Slack does not answer, or asks to wait';
      const pause = backOff(this.#fetching.clock, tries, PAUSES);
      await this.#fetching.wait(Math.max(pause, Math.min(askedSeconds, MAX_ASKED_SECONDS)) * 1000);
    }
  }

  /** One try. Neither the file nor a reason: another one may go better. */
  async #once(url: string): Promise<{ readonly came?: Stretch | string; readonly askedSeconds?: number }> {
    const { outbound, maxBytes, token } = this.#fetching;
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const reply = await outbound.open({ url, headers, maxBytes, timeoutMs: TIMEOUT_MS, maxRedirects: 0 });
      return await this.#taken(reply);
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      if (error.reason === 'size') return { came: 'it is larger than files may be here' };
      // A login page is where those are led whose token is not good, or no more.
      if (error.reason === 'redirects') return { came: 'the token does not open it' };
      return {};
    }
  }

  async #taken({ status, headers, body }: OutboundReply<Readable>) {
    const isFile = status === 200 && !/^text\/html\b/.test(headers.get('content-type') ?? '');
    if (isFile) return { came: await this.#kept(body) };
    body.destroy();
    if (status === 429 || status >= 500) return { askedSeconds: Number(headers.get('retry-after')) || 0 };
    return { came: status === 404 ? 'it is there no more' : 'the token does not open it' };
  }

  async #kept(body: Readable): Promise<Stretch> {
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

/** Bytes read at once of what was fetched. */
const READ_BYTES = 1024 * 1024;

/** The bytes of a file that came. */
export async function* bytesOf(scratch: Scratch, { from, length }: Stretch): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += READ_BYTES) yield scratch.read(from + at, Math.min(READ_BYTES, length - at));
}

async function* bytesIn(body: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    invariant(chunk instanceof Uint8Array, 'a reply comes as bytes');
    yield chunk;
  }
}
