import { type Clock, isRecord } from '../api/index.ts';
import { inPageLanguage } from '../words/refusals.ts';

/** The progress of an upload. */
export interface UploadState {
  /** From 0 to 100. */
  readonly percent: number;
  readonly state: 'running' | 'paused' | 'failed';
  readonly fault?: string | undefined;
}

interface UploadOptions {
  readonly file: File;
  readonly clock: Clock;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Returns the CSRF token of the session. */
  readonly token: () => Promise<string>;
  readonly onChange: (state: UploadState) => void;
  /** Called when the file is complete, with its name and address on the server. */
  readonly onDone: (done: { readonly filename: string; readonly url: string }) => void;
  /** The error message if the server gives none. */
  readonly lost: string;
}

const PLACE = '/api/v1/tus/';
const TUS = { 'tus-resumable': '1.0.0' };
/** Bytes per request; a broken connection loses at most this many. */
const CHUNK = 1024 * 1024;
/** Failed attempts in a row before the upload stops. */
const MAX_TRIES = 5;

/**
 * Uploads a file in pieces: it can be paused, survives a broken connection, and resumes where the server stopped. See
 * protocol/files#tus.
 */
export class Upload {
  readonly #options: UploadOptions;
  #location: string | undefined;
  #offset = 0;
  #stop = new AbortController();
  #state: UploadState = { percent: 0, state: 'running' };

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  get state(): UploadState {
    return this.#state;
  }

  /** Starts or resumes the upload. */
  async run(): Promise<void> {
    const { file, clock } = this.#options;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#tell({ percent: this.#percent(), state: 'running' });
    for (let tries = 0; !signal.aborted; ) {
      try {
        this.#location ??= await this.#begin(signal);
        if (tries > 0) this.#offset = await this.#ask(signal);
        const done = await this.#send(file.slice(this.#offset, this.#offset + CHUNK), signal);
        tries = 0;
        this.#tell({ percent: this.#percent(), state: 'running' });
        if (done) return this.#options.onDone(done);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal || ++tries >= MAX_TRIES) {
          const fault = error instanceof Refusal ? error.message : this.#options.lost;
          return this.#tell({ percent: this.#percent(), state: 'failed', fault });
        }
        await clock.sleep(500 * 2 ** tries * (1 + clock.random()), signal);
      }
    }
  }

  pause(): void {
    this.#stop.abort();
    this.#tell({ percent: this.#percent(), state: 'paused' });
  }

  /** Stops the upload and deletes what the server has of it. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    if (this.#location === undefined) return;
    const headers = { ...TUS, 'x-csrftoken': await this.#options.token() };
    await this.#options.fetch(this.#location, { method: 'DELETE', headers }).catch(() => undefined);
  }

  #tell(state: UploadState): void {
    this.#state = state;
    this.#options.onChange(state);
  }

  #percent(): number {
    const { size } = this.#options.file;
    return size === 0 ? 0 : (100 * this.#offset) / size;
  }

  async #begin(signal: AbortSignal): Promise<string> {
    const { file } = this.#options;
    const metadata = `filename ${base64(file.name)},filetype ${base64(file.type)}`;
    const headers = { 'upload-length': String(file.size), 'upload-metadata': metadata };
    const response = await this.#call(PLACE, { method: 'POST', headers, signal });
    const location = response.headers.get('location');
    if (location === null) throw new Refusal(this.#options.lost);
    // The content security policy allows requests to the page's own origin only, whichever host name the server uses
    // for itself.
    return new URL(location, 'http://server').pathname;
  }

  async #ask(signal: AbortSignal): Promise<number> {
    const response = await this.#call(this.#location ?? PLACE, { method: 'HEAD', signal });
    return Number(response.headers.get('upload-offset') ?? 0);
  }

  /** Sends a piece; with the last one, returns what the server says about the complete file. */
  async #send(piece: Blob, signal: AbortSignal) {
    const headers = { 'upload-offset': String(this.#offset), 'content-type': 'application/offset+octet-stream' };
    const response = await this.#call(this.#location ?? PLACE, { method: 'PATCH', headers, signal, body: piece });
    this.#offset = Number(response.headers.get('upload-offset') ?? this.#offset + piece.size);
    if (this.#offset < this.#options.file.size) return undefined;
    const answer: unknown = await response.json().catch(() => undefined);
    if (!isRecord(answer) || typeof answer['url'] !== 'string') throw new Refusal(this.#options.lost);
    const { url, filename } = answer;
    return { url, filename: typeof filename === 'string' ? filename : this.#options.file.name };
  }

  async #call(
    url: string,
    request: RequestInit & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Response> {
    const token = await this.#options.token();
    const headers = { ...TUS, ...request.headers, 'x-csrftoken': token };
    const response = await this.#options.fetch(url, { ...request, headers, credentials: 'same-origin' });
    if (response.ok) return response;
    // After a wrong offset, a rate limit or a server error, another attempt may succeed.
    if (response.status === 409 || response.status === 429 || response.status >= 500) throw new Error('not now');
    const words = wordsOf(await response.text());
    throw new Refusal(words === undefined ? this.#options.lost : await inPageLanguage(words));
  }
}

/** The server does not accept the file. */
class Refusal extends Error {}

function wordsOf(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    const words = isRecord(answer) ? (answer['message'] ?? answer['msg']) : undefined;
    return typeof words === 'string' ? words : undefined;
  } catch {
    return body.length > 0 && body.length < 200 && !body.includes('<') ? body : undefined;
  }
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
