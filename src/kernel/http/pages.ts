import { pipeline } from 'node:stream';
import { causeOfRequest, withCause } from '#kernel/audit';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Page, PageRequest, PageResponse } from '#kernel/endpoint';
import {
  ApiError,
  type ApiErrorRow,
  IncomingWebhookBot,
  KeyOnlyReads,
  ServerUnavailable,
  Unauthorized,
} from '#kernel/errors';
import { networkOf } from '#kernel/limits';
import { INCOMING_WEBHOOK } from './admission.ts';
import { finish } from './answer.ts';
import { whatIsAway } from './away.ts';
import { isAborted, isSlowBody, readBody } from './body.ts';
import type { BodyShare } from './bounds/body-share.ts';
import { isUnread } from './bounds/rest.ts';
import { clientName } from './client-name.ts';
import { parseCookies, sessionCookieName } from './cookies.ts';
import { identify, letIn, noteUse, type Presented } from './credentials.ts';
import { PAGE_HEADERS } from './headers.ts';
import { findRealm, type PipelineOptions } from './incoming.ts';
import type { HttpRequest } from './request.ts';
import type { Match } from './router.ts';

/** Value of Retry-After, in seconds, for a refusal that took no database query. */
export const RETRY_SECONDS = 1;

/** Serves a route outside of the API. */
export async function openPage(
  options: PipelineOptions,
  match: Match<Page>,
  request: HttpRequest,
  requestId: string,
): Promise<void> {
  const page = match.methods.get(request.verb);
  if (!page)
    return answer(
      request,
      { status: 405, headers: { allow: [...match.methods.keys()].join(', ') }, body: 'Method not allowed\n' },
      requestId,
    );
  try {
    const reply = await page.handle(await pageRequest(options, page, match.path, request));
    if (reply) answer(request, reply, requestId, (error) => noteBroken(options, page, error));
  } catch (error) {
    const away = whatIsAway(error);
    const isAway = away !== undefined;
    if (isAway) options.context.log.warn({ err: error, page: page.path, away }, 'a page was refused for now');
    else if (!(error instanceof ApiError) && !isAborted(error))
      options.context.log.error({ err: error, page: page.path, request_id: requestId }, 'a page failed unexpectedly');
    answer(request, failure(isAway ? ServerUnavailable({ 'retry-after': RETRY_SECONDS }) : error), requestId);
  }
}

async function pageRequest(
  options: PipelineOptions,
  page: Page,
  path: Readonly<Record<string, string>>,
  request: HttpRequest,
): Promise<PageRequest> {
  const url = urlOf(request, options.context.server.externalUrl);
  const apiKey = url.searchParams.get('api_key') ?? undefined;
  if (apiKey !== undefined) url.searchParams.delete('api_key');
  const realm = page.isBare ? undefined : await findRealm(options, request);
  const cookies = parseCookies(request.headers.cookie);
  const sessionToken = cookies[sessionCookieName(options.context.server.externalUrl)];
  const client = clientName(request.headers['user-agent'], undefined);
  const { authorization } = request.headers;
  const presented = { authorization, apiKey: page.takesKey && apiKey, sessionToken };
  const identifyNow = () => identifyCaller(options, page, request, { realm, presented });
  const caller = await identifyNow();
  const { clock } = options.context;
  const began = clock.monotonicMs();
  const admitAgain = async () => {
    if (!caller.actor) return;
    const { actor } = await identifyNow();
    if (actor?.role !== caller.actor.role) throw Unauthorized();
  };
  /** Checks the sender again after a slow body; throws if they may no longer log in. See `Visit.read`. */
  const assertStillIn = async (admit: () => Promise<unknown> = admitAgain) => {
    if (isSlowBody(clock.monotonicMs() - began)) await admit();
  };
  const read = async (share: BodyShare, admit?: () => Promise<unknown>) => {
    const body = await readBody(request, share);
    await assertStillIn(admit);
    return body;
  };
  return {
    ...caller,
    realm,
    url,
    path,
    headers: request.headers,
    cookies,
    sessionToken,
    address: request.address,
    isFromProxy: request.isFromProxy,
    client,
    form: async () => {
      await takeRate(options, caller.actor, request.address);
      return (await read(request.shareFor(caller.actor, true))).texts;
    },
    content: async (sender) => {
      if (sender === 'anonymous') await takeRate(options, null, request.address);
      // Bodies sent by programs count for the organization, or for the server if there is none.
      const payer = sender === 'anonymous' ? null : { userId: 0 - Number(realm?.id ?? 0) };
      const share = request.shareFor(payer);
      return (await read(share, sender === 'anonymous' ? undefined : sender)).bytes ?? Buffer.alloc(0);
    },
    assertStillIn,
    raw: { request: request.raw, response: request.response },
    context: withCause(
      options.context,
      causeOfRequest(caller.actor, page.path, request.address, request.headers['user-agent']),
    ),
  };
}

/** The requested address. Paths like `//`, which a URL would read as a host, stay paths of this server. */
function urlOf({ url }: HttpRequest, externalUrl: string): URL {
  const [path = '/', ...query] = url.split('?');
  const whole = new URL(externalUrl);
  whole.pathname = path.startsWith('/') ? path : `/${path}`;
  whole.search = query.join('?');
  return whole;
}

/** Forms are rate-limited like API requests, before their bodies are read. */
async function takeRate({ limits }: PipelineOptions, actor: Actor | null, address: string): Promise<void> {
  if (actor) await limits.take('user', String(actor.userId));
  else await limits.take('address', networkOf(address));
}

/**
 * Identifies the caller of a page. Pages with forms check their form's CSRF token themselves, so a session is accepted
 * here without one, unless the page declares `needsCsrfHeader`.
 */
async function identifyCaller(
  options: PipelineOptions,
  page: Page,
  request: HttpRequest,
  { realm, presented }: { readonly realm: RealmRef | undefined; readonly presented: Presented },
): Promise<{ actor: Actor | null; refusal: ApiError | undefined }> {
  if (!realm) return { actor: null, refusal: undefined };
  const csrfHeader = request.headers['x-csrftoken'];
  const isSafe = !page.needsCsrfHeader || SAFE.has(request.verb);
  const csrfToken = typeof csrfHeader === 'string' ? csrfHeader : undefined;
  try {
    const identified = await identify(options.context, options.source, realm, presented);
    const caller = letIn(options.context, realm, identified, { isSafe, csrfToken, address: request.address });
    await noteUse(options.context, realm, identified);
    const actor = caller && { ...caller, client: clientName(request.headers['user-agent'], undefined) };
    const isReader = actor?.shownBy?.kind === 'device key' && actor.shownBy.scope === 'read';
    if (isReader && !READING.has(request.verb)) return { actor: null, refusal: KeyOnlyReads() };
    // Incoming webhook bots may only send messages; they may not fetch files, either
    // (protocol/authentication#credentials, row 10).
    const isShutOut = actor?.botType === INCOMING_WEBHOOK;
    return isShutOut ? { actor: null, refusal: IncomingWebhookBot() } : { actor, refusal: undefined };
  } catch (error) {
    if (error instanceof ApiError) return { actor: null, refusal: error };
    throw error;
  }
}

/** Methods that a read-only key may use. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Methods that need no CSRF token. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'OPTIONS']);

/** Tells the operator of a file that broke off in the middle, as of one that could not be opened. */
function noteBroken({ context }: PipelineOptions, { path }: Page, error: Error): void {
  const away = whatIsAway(error);
  if (away !== undefined) context.log.warn({ err: error, page: path, away }, 'a file broke off');
}

function answer(request: HttpRequest, reply: PageResponse, requestId: string, onBroken?: (error: Error) => void): void {
  const { response } = request;
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : (reply.body ?? Buffer.alloc(0));
  const stream = Buffer.isBuffer(body) ? undefined : body.stream;
  if (response.destroyed || response.headersSent) {
    stream?.destroy();
    return;
  }
  const headers: Record<string, string | number | string[]> = {
    'content-type': 'text/plain; charset=utf-8',
    ...PAGE_HEADERS,
    'x-request-id': requestId,
  };
  for (const [name, value] of Object.entries(reply.headers ?? {}))
    headers[name] = typeof value === 'string' ? value : [...value];
  const status = reply.status ?? 200;
  const hasBody = status !== 204 && status !== 304;
  if (isUnread(request.raw)) headers['connection'] = 'close';
  if (hasBody && body.length !== undefined) headers['content-length'] = body.length;
  response.writeHead(status, headers);
  if (!hasBody || response.req.method === 'HEAD') {
    stream?.destroy();
    finish(response);
  } else if (stream) {
    // If the client disconnects, both streams are destroyed. If the file's stream fails, the connection is closed, so
    // that no client takes it for complete.
    pipeline(stream, response, (error) => error && onBroken?.(error));
  } else finish(response, Buffer.isBuffer(body) ? [body] : []);
}

function failure(error: unknown): PageResponse {
  const json = { 'content-type': 'application/json' };
  if (!(error instanceof ApiError))
    return {
      status: 500,
      headers: json,
      body: JSON.stringify({ result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }),
    };
  const { row }: { row: ApiErrorRow } = error;
  const wait = error.extra['retry-after'];
  const headers = {
    ...json,
    ...(row.status === 308 && { location: String(error.extra['location']) }),
    ...(row.status === 401 && { 'www-authenticate': 'Basic realm="roost"' }),
    ...(wait !== undefined && { 'retry-after': String(Math.ceil(Number(wait))) }),
  };
  return {
    status: row.status,
    headers,
    body: JSON.stringify({ result: 'error', msg: error.message, code: row.code, ...error.extra }),
  };
}
