import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { ApiError } from '#kernel/errors';

/** A request outside the API: for a page, a file, or another protocol. */
export interface PageRequest {
  readonly realm: RealmRef | undefined;
  /** Null without accepted credentials; the page decides what that means. */
  readonly actor: Actor | null;
  /** Why the credentials that were sent were not accepted. */
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
   * Reads the raw body. If the sender has proved to know a secret of the organization, the page passes a function that
   * checks the secret again after a slow body; the body may then be as large as a user's, and does not count for the
   * sender's address.
   */
  content(sender: 'anonymous' | (() => Promise<unknown>)): Promise<Buffer>;
  /** For a page that reads its body itself: throws if the body was slow and its sender may no longer log in. */
  assertStillIn(): Promise<void>;
  /** Node's request and response, for protocols that need them; the handler then replies itself. */
  readonly raw: { readonly request: IncomingMessage; readonly response: ServerResponse };
  readonly context: Context;
}

/** A request at the address of an organization. */
export type RealmRequest = PageRequest & { readonly realm: RealmRef };

export function hasRealm(request: PageRequest): request is RealmRequest {
  return request.realm !== undefined;
}

/** What a page replies. */
export interface PageResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer | PageStream;
}

/** A body that is streamed. */
export interface PageStream {
  readonly stream: Readable;
  /** Length in bytes; undefined if it is unknown. */
  readonly length: number | undefined;
}

/** A route outside the API. Paths may end in `{rest*}`. */
export interface Page {
  readonly methods: readonly string[];
  /** The whole path; may be below /api/v1. */
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
  /** Whether it is the same for every caller and host, so that it is answered without the database. */
  readonly isBare?: boolean;
  /** Returns the reply, or undefined if it was already sent on the raw response. */
  readonly handle: (request: PageRequest) => Promise<PageResponse | undefined>;
}

/** Declares a route outside the API. */
export function page(declaration: Page): Page {
  return declaration;
}
