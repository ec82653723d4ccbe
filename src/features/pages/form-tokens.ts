import { constantTimeEqual, deriveKey } from '#kernel/auth';
import type { PageRequest, PageResponse } from '#kernel/endpoint';

/** Characters of a browser's secret. */
const SECRET_LENGTH = 32;

/** Name of the field that holds a form's token. */
export const TOKEN_FIELD = 'csrfmiddlewaretoken';

/** What of a request tells which browser sent it. */
export type FromBrowser = Pick<PageRequest, 'context' | 'cookies'>;

/** New secrets of browsers that get their first form with this answer. */
const fresh = new WeakMap<FromBrowser, string>();

/**
 * The token of a form, derived from a secret of this browser (a cookie that forms of other sites do not carry) and from
 * the server's, so that nothing is stored and no other site can make one.
 */
export function formToken(request: FromBrowser): string {
  return tokenOf(request, browserSecret(request) ?? freshSecret(request));
}

/** The fields of a form with a valid token; undefined for a form that another site made this browser send. */
export async function readForm(request: PageRequest): Promise<ReadonlyMap<string, string> | undefined> {
  const fields = await request.form();
  const secret = browserSecret(request);
  const sent = fields.get(TOKEN_FIELD);
  if (secret === undefined || sent === undefined) return undefined;
  return constantTimeEqual(sent, tokenOf(request, secret)) ? fields : undefined;
}

/** Sets the cookie with the browser's new secret, if this answer needs one. */
export function withSecret(request: PageRequest, response: PageResponse): PageResponse {
  const secret = fresh.get(request);
  if (secret === undefined) return response;
  const isSecure = request.context.server.externalUrl.startsWith('https:');
  const cookie = `${cookieName(request)}=${secret}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const set = response.headers?.['set-cookie'] ?? [];
  const cookies = [...(typeof set === 'string' ? [set] : set), cookie];
  return { ...response, headers: { ...response.headers, 'set-cookie': cookies } };
}

function browserSecret(request: FromBrowser): string | undefined {
  const value = request.cookies[cookieName(request)];
  return value !== undefined && value.length === SECRET_LENGTH ? value : undefined;
}

function freshSecret(request: FromBrowser): string {
  const known = fresh.get(request) ?? request.context.clock.token(SECRET_LENGTH);
  fresh.set(request, known);
  return known;
}

function tokenOf({ context }: FromBrowser, secret: string): string {
  return deriveKey(context.server.secret, `form:${secret}`);
}

/** Browsers bind a name with the `__Host-` prefix to the host and to encrypted connections. */
function cookieName({ context }: FromBrowser): string {
  return context.server.externalUrl.startsWith('https:') ? '__Host-roost-form' : 'roost-form';
}
