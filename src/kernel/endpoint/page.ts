import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { ApiError } from '#kernel/errors';

/** A request for something that is no API operation: a page, a file, a protocol of its own. */
export interface PageRequest {
  readonly realm: RealmRef | undefined;
  /** Null without valid credentials; a page decides itself what that means. */
  readonly actor: Actor | null;
  /** Why credentials that were sent did not count. */
  readonly refusal: ApiError | undefined;
  /** Without an API key in its query, so that addresses derived from it do not contain one. */
  readonly url: URL;
  /** Named segments of the path; `rest` has what a trailing `{rest*}` matched. */
  readonly path: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly sessionToken: string | undefined;
  readonly address: string;
  readonly client: string;
  /** Whether a trusted proxy sent it: only then are the headers that proxies add believed. */
  readonly isFromProxy: boolean;
  /** Fields of a form body; reads it when called. */
  form(): Promise<ReadonlyMap<string, string>>;
  /**
   * The body as it came. For a sender that showed a secret of the organization, which the page has checked, it may be
   * as long as a user's, and is not counted by address; the page says how it is checked again after a body that came
   * slowly.
   */
  content(caller: 'stranger' | (() => Promise<unknown>)): Promise<Buffer>;
  /** For a page that reads its body itself: throws when the body came slowly and its sender may not log in any more. */
  assertStillIn(): Promise<void>;
  /** The bare request and response, for protocols that need them; the handler then answers itself. */
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
  readonly context: Context;
}

/** A request at the address of an organization. */
export type RealmRequest = PageRequest & { readonly realm: RealmRef };

export function hasRealm(request: PageRequest): request is RealmRequest {
  return request.realm !== undefined;
}

/** What a page answers; undefined when it has already answered on the raw response. */
export interface PageResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer | PageStream;
}

/** A body that is streamed. */
export interface PageStream {
  readonly stream: Readable;
  /** Bytes that the stream will give; undefined where nobody knows. */
  readonly length: number | undefined;
}

/** A route outside the API. Paths may end in `{rest*}`. */
export interface Page {
  readonly methods: readonly string[];
  readonly path: string;
  /**
   * Whether an API key in the query is accepted, too: for files, whose addresses are used where no header can be sent.
   */
  readonly takesKey?: true;
  /**
   * Whether a change by a browser session needs the CSRF token in the `X-CSRFToken` header, for requests that are no
   * forms.
   */
  readonly needsCsrfHeader?: true;
  /** Whether it is the same for every caller and host, and so answered without the database. */
  readonly isBare?: boolean;
  /** Below /api/v1 too, and so with Basic credentials. */
  readonly handle: (request: PageRequest) => Promise<PageResponse | undefined>;
}

/** Declares a route outside the API. */
export function page(declaration: Page): Page {
  return declaration;
}
