import type { ErrorFactory } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { lenientObject, maybe, readAs, str } from '#kernel/schema';
import { parseJson } from '#kernel/text';
import {
  AdminActionRequired,
  GatewayBroken,
  GatewayUnreachable,
  NoSuchToken,
  PushNotConfigured,
  TokenUnknownToGateway,
} from './errors.ts';

/** Milliseconds within which the service must answer. */
const TIMEOUT_MS = 10_000;
/** Path of the service's operations, below the configured address. */
const PREFIX = '/api/v1/remotes';

/** The push service's answer: accepted with a body, refused with a code, or unreachable. */
export type GatewayAnswer =
  | { readonly kind: 'accepted'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly msg: string }
  | { readonly kind: 'unreachable' };

const refusal = lenientObject({ code: maybe(str()), msg: maybe(str()) });

/** The content of a request: a form, JSON, or none, which makes it a GET. */
export type Content = { readonly form: Readonly<Record<string, string>> } | { readonly json: unknown } | undefined;

/** Sends a request to the push service; docs/push-gateway.md. Never throws errors of the service or the network. */
export async function askGateway(
  context: Pick<Context, 'pushGateway' | 'log'>,
  path: string,
  content?: Content,
): Promise<GatewayAnswer> {
  if (!context.pushGateway) throw PushNotConfigured();
  const { url, outbound } = context.pushGateway;
  const request = { url: `${url}${PREFIX}${path}`, ...bodyOf(content), timeoutMs: TIMEOUT_MS };
  try {
    const reply = await outbound.fetch(request);
    const answer = toAnswer(reply.status, parseJson(reply.body.toString()));
    if (answer === NONSENSE)
      context.log.room('push').warn({ path, status: reply.status }, 'the push service said nonsense');
    return answer;
  } catch (error) {
    context.log.room('push').warn({ err: error, path }, 'the push service cannot be reached');
    return { kind: 'unreachable' };
  }
}

function bodyOf(content: Content) {
  if (!content) return {};
  const [type, body] =
    'form' in content
      ? ['application/x-www-form-urlencoded', new URLSearchParams(content.form).toString()]
      : ['application/json', JSON.stringify(content.json)];
  return { body, headers: { 'content-type': type } };
}

/** Result for a success without valid content: whatever answers at this address is not the push service. */
const NONSENSE: GatewayAnswer = { kind: 'refused', status: 502, code: '', msg: '' };
const anything = lenientObject({});

function toAnswer(status: number, body: unknown): GatewayAnswer {
  if (status >= 200 && status < 300) return readAs(anything, body) ? { kind: 'accepted', body } : NONSENSE;
  const { code = '', msg = '' } = readAs(refusal, body) ?? {};
  return { kind: 'refused', status, code, msg };
}

/** Refusals that concern what the caller sent; all others concern the server. */
const CALLER_ERRORS: readonly ErrorFactory<[]>[] = [NoSuchToken, TokenUnknownToGateway];

/** Throws the error for the caller, unless the service accepted the request. See protocol/push#older-tokens. */
export function assertAccepted(answer: GatewayAnswer): void {
  if (answer.kind === 'accepted') return;
  if (answer.kind === 'unreachable') throw GatewayUnreachable();
  if (answer.status >= 500) throw GatewayBroken();
  const known = CALLER_ERRORS.find(({ row }) => row.code === answer.code && row.text === answer.msg);
  throw known ? known() : AdminActionRequired();
}

/**
 * Code of a refusal for an organization that the service does not know yet: it is reported, and the request repeated.
 */
export const UNKNOWN_REALM = 'MISSING_REMOTE_REALM';

/** Whether another attempt may succeed: the network or the service failed. */
export function isTransient(answer: GatewayAnswer): boolean {
  if (answer.kind !== 'refused') return answer.kind === 'unreachable';
  return answer.status >= 500 || answer.status === 429 || answer.code === UNKNOWN_REALM;
}
