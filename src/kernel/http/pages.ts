import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Page, PageRequest, PageResponse } from '#kernel/endpoint';
import { ApiError, type ApiErrorRow, IncomingWebhookBot } from '#kernel/errors';
import { readBody } from './body.ts';
import { clientName } from './client-name.ts';
import { parseCookies, sessionCookieName } from './cookies.ts';
import { authenticate } from './credentials.ts';
import { PAGE_HEADERS } from './headers.ts';
import { findRealm, INCOMING_WEBHOOK, type PipelineOptions } from './pipeline.ts';
import type { HttpRequest } from './request.ts';
import type { Match } from './router.ts';

/** Serves a route outside the API. */
export async function openPage(
  options: PipelineOptions,
  match: Match<Page>,
  request: HttpRequest,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const page = match.methods.get(request.verb);
  if (!page)
    return answer(
      response,
      { status: 405, headers: { allow: [...match.methods.keys()].join(', ') }, body: 'Method not allowed\n' },
      requestId,
    );
  try {
    const reply = await page.handle(await pageRequest(options, match.path, request, response));
    if (reply) answer(response, reply, requestId);
  } catch (error) {
    if (!(error instanceof ApiError))
      options.kit.log.error({ err: error, page: page.path, request_id: requestId }, 'a page failed unexpectedly');
    answer(response, failure(error), requestId);
  }
}

async function pageRequest(
  options: PipelineOptions,
  path: Readonly<Record<string, string>>,
  request: HttpRequest,
  response: ServerResponse,
): Promise<PageRequest> {
  const realm = await findRealm(options, request.host);
  const cookies = parseCookies(request.headers.cookie);
  const sessionToken = cookies[sessionCookieName(options.kit.server.externalUrl)];
  const client = clientName(request.headers['user-agent'], undefined);
  const caller = await whoIs(options, realm, request, sessionToken, client);
  return {
    ...caller,
    realm,
    url: new URL(request.url, options.kit.server.externalUrl),
    path,
    headers: request.headers,
    cookies,
    sessionToken,
    address: request.address,
    client,
    form: async () => (await readBody(request)).texts,
    raw: { request: request.raw, response },
    kit: options.kit,
  };
}

/** Pages that change something check their form's token themselves, so a session counts here without one. */
async function whoIs(
  options: PipelineOptions,
  realm: RealmRef | undefined,
  request: HttpRequest,
  sessionToken: string | undefined,
  client: string,
): Promise<{ actor: Actor | null; refusal: Error | undefined }> {
  if (!realm) return { actor: null, refusal: undefined };
  const presented = {
    authorization: request.headers.authorization,
    sessionToken,
    csrfToken: undefined,
    isSafe: true,
    client,
  };
  try {
    const actor = await authenticate(options.kit, options.source, realm, presented);
    // Such a bot may send, and nothing else: no files either (contract W6 row 10).
    const isShutOut = actor?.botType === INCOMING_WEBHOOK;
    return isShutOut ? { actor: null, refusal: IncomingWebhookBot() } : { actor, refusal: undefined };
  } catch (error) {
    if (error instanceof ApiError) return { actor: null, refusal: error };
    throw error;
  }
}

function answer(response: ServerResponse, reply: PageResponse, requestId: string): void {
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
  response.writeHead(status, hasBody ? { ...headers, 'content-length': body.length } : headers);
  if (!hasBody || response.req.method === 'HEAD') {
    stream?.destroy();
    response.end();
  } else if (stream) {
    // Whoever goes away early ends both; a file that breaks off ends the connection, so that nobody takes it for whole.
    pipeline(stream, response, () => undefined);
  } else response.end(body);
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
  const headers = row.status === 401 ? { ...json, 'www-authenticate': 'Basic realm="roost"' } : json;
  return {
    status: row.status,
    headers,
    body: JSON.stringify({ result: 'error', msg: error.message, code: row.code, ...error.extra }),
  };
}
