import type { ErrorFactory } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { lenientObject, maybe, type Schema, str } from '#kernel/schema';
import {
  AdminActionRequired,
  GatewayBroken,
  GatewayUnreachable,
  NoSuchToken,
  PushNotConfigured,
  TokenUnknownToGateway,
} from './errors.ts';

/** Milliseconds until the service must have answered. */
const TIMEOUT_MS = 10_000;
/** The service's operations, under the configured address. */
const PREFIX = '/api/v1/remotes';

/** What the push service said: yes, with whatever, or no, with a code. */
export type GatewayAnswer =
  | { readonly kind: 'accepted'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly msg: string }
  | { readonly kind: 'unreachable' };

const refusal = lenientObject({ code: maybe(str()), msg: maybe(str()) });

/** What a request carries: a form, JSON, or nothing, and then it is a GET. */
export type Content = { readonly form: Readonly<Record<string, string>> } | { readonly json: unknown } | undefined;

/** Asks the push service something; docs/push-gateway.md. Never throws for what the service or the network does. */
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
    const answer = toAnswer(reply.status, parseJson(reply.body));
    if (answer === NONSENSE)
      context.log.room('push').warn({ path, status: reply.status }, 'the push service said nonsense');
    return answer;
  } catch (error) {
    context.log.room('push').warn({ err: error, path }, 'the push service can not be reached');
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

/** A success without its content: what answers at this address is not the push service. */
const NONSENSE: GatewayAnswer = { kind: 'refused', status: 502, code: '', msg: '' };
const anything = lenientObject({});

function toAnswer(status: number, body: unknown): GatewayAnswer {
  if (status >= 200 && status < 300) return readAs(anything, body) ? { kind: 'accepted', body } : NONSENSE;
  const { code = '', msg = '' } = readAs(refusal, body) ?? {};
  return { kind: 'refused', status, code, msg };
}

/** Refusals that are about what the caller sent; any other is about the server. */
const CALLER_ERRORS: readonly ErrorFactory<[]>[] = [NoSuchToken, TokenUnknownToGateway];

/** Throws what the caller is to know, unless the service did what was asked. See protocol/push#older-tokens. */
export function assertAccepted(answer: GatewayAnswer): void {
  if (answer.kind === 'accepted') return;
  if (answer.kind === 'unreachable') throw GatewayUnreachable();
  if (answer.status >= 500) throw GatewayBroken();
  const known = CALLER_ERRORS.find(({ row }) => row.code === answer.code && row.text === answer.msg);
  throw known ? known() : AdminActionRequired();
}

/** The service does not know the organization yet: it is told of it, and asked again. */
export const UNKNOWN_REALM = 'MISSING_REMOTE_REALM';

/** Whether asking again may bring another answer: the network or the service failed. */
export function mayHelpLater(answer: GatewayAnswer): boolean {
  if (answer.kind !== 'refused') return answer.kind === 'unreachable';
  return answer.status >= 500 || answer.status === 429 || answer.code === UNKNOWN_REALM;
}

/** What the service sent, when it has the shape. */
export function readAs<T>(schema: Schema<T>, body: unknown): T | undefined {
  const result = schema.safeParse(body);
  return result.success ? result.data : undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString());
    return value;
  } catch {
    return undefined;
  }
}
