import { createHash, randomBytes } from 'node:crypto';
import { pause } from '../../support/pause.ts';

const KIB = 1024;
/** Milliseconds after which a client gives a request up, and before it asks again. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 100;
/** Answers of a request that may be sent again; 0: none came. 409: another one of this client's was faster. */
const AGAIN: ReadonlySet<number> = new Set([0, 409, 503]);

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Asks any of the processes. */
export type Fetch = (method: string, path: string, headers: Record<string, string>, body?: Buffer) => Promise<Reply>;

/** A person who sends files, in pieces and whole, through whatever happens, and looks whether they are there. */
export class Uploads {
  readonly #fetch: Fetch;
  readonly #name: string;
  readonly #whole = new Map<string, string>();
  readonly #problems: string[] = [];
  #longestMs = 0;

  constructor(name: string, fetching: Fetch) {
    this.#name = name.replaceAll(/[^a-z0-9]+/gi, '-');
    this.#fetch = fetching;
  }

  /** Files that were acknowledged, and how long one took at most. */
  get seen(): { readonly files: number; readonly longestMs: number } {
    return { files: this.#whole.size, longestMs: Math.round(this.#longestMs) };
  }

  async sendUntil(isOver: () => boolean): Promise<void> {
    for (let i = 0; !isOver(); i++) {
      const bytes = randomBytes(i % 3 === 2 ? 300 * KIB : (2 + (i % 5)) * KIB * KIB + i);
      const begun = performance.now();
      const path = await (i % 3 === 2 ? this.#sendWhole(bytes, i) : this.#sendInPieces(bytes, i));
      this.#longestMs = Math.max(this.#longestMs, performance.now() - begun);
      if (path !== undefined) this.#whole.set(path, digest(bytes));
    }
  }

  /** What does not hold: each acknowledged file is there once, with its bytes, and nothing looks whole that is not. */
  async faults(): Promise<readonly string[]> {
    const { bytes } = await this.#insist('GET', '/api/v1/attachments', {});
    const listed = (JSON.parse(bytes.toString()) as { attachments: { path_id: string }[] }).attachments
      .map(({ path_id }) => path_id)
      .filter((path) => path.includes(this.#name));
    for (const [path, expected] of this.#whole) {
      const count = listed.filter((one) => one === path).length;
      if (count !== 1) this.#problems.push(`the file ${path} is listed ${count} times`);
      const { status, bytes: there } = await this.#insist('GET', `/user_uploads/${path}`, {});
      if (status !== 200 || digest(there) !== expected) this.#problems.push(`the file ${path} is not what was sent`);
    }
    return this.#problems;
  }

  /** One request with all bytes; where no answer comes, it is not known whether there is a file, and another is sent. */
  async #sendWhole(bytes: Buffer, number: number): Promise<string | undefined> {
    const form = new FormData();
    form.set('file', new Blob([bytes]), `${this.#name}-${number}.bin`);
    const request = new Request('http://x/', { method: 'POST', body: form });
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    const reply = await this.#fetch('POST', '/api/v1/user_uploads', headers, Buffer.from(await request.arrayBuffer()));
    if (reply.status === 200)
      return (JSON.parse(reply.bytes.toString()) as { url: string }).url.slice('/user_uploads/'.length);
    this.#judge('an upload', reply);
    await pause(AGAIN_MS);
    return undefined;
  }

  async #sendInPieces(bytes: Buffer, number: number): Promise<string | undefined> {
    const begun = await this.#insist('POST', '/api/v1/tus/', {
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(`${this.#name}-${number}.bin`).toString('base64')}`,
    });
    const path = begun.headers.get('location') ?? '';
    for (let offset = 0; offset < bytes.length; ) {
      const piece = bytes.subarray(offset, offset + 700 * KIB);
      const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
      const reply = await this.#fetch('PATCH', path, headers, piece);
      this.#judge('a piece', reply);
      const isTaken = reply.status === 200 || reply.status === 204;
      const known = isTaken ? reply : await this.#insist('HEAD', path, {});
      const next = Number(known.headers.get('upload-offset') ?? Number.NaN);
      if (!Number.isInteger(next) || next < offset) {
        this.#problems.push(`the upload ${path} went back from ${offset} to ${next}, status ${known.status}`);
        return undefined;
      }
      offset = next;
    }
    return path.slice(path.indexOf('/tus/') + '/tus/'.length);
  }

  /** Asks until there is an answer that says something. */
  async #insist(method: string, path: string, headers: Record<string, string>): Promise<Reply> {
    for (;;) {
      const reply = await this.#fetch(method, path, headers);
      if (!AGAIN.has(reply.status)) return reply;
      await pause(AGAIN_MS);
    }
  }

  #judge(what: string, { status, bytes }: Reply): void {
    if (status >= 300 && !AGAIN.has(status))
      this.#problems.push(`${what} was answered ${status} ${bytes.toString().slice(0, 200)}`);
  }
}

/** A client of the processes: each request goes to any of them. */
export function fetchAny(nodes: () => readonly string[], authorization: string): Fetch {
  return async (method, path, headers, body) => {
    const all = nodes();
    const base = all[Math.floor(Math.random() * all.length)] ?? '';
    try {
      const response = await fetch(base + path, {
        method,
        headers: { authorization, 'tus-resumable': '1.0.0', ...headers },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body && { body: new Uint8Array(body) }),
      });
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    } catch {
      return { status: 0, headers: new Headers(), bytes: Buffer.alloc(0) };
    }
  };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
