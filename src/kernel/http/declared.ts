import { administrators, type AnyEndpoint, Held, owners, RawBody } from '#kernel/endpoint';
import * as errors from '#kernel/errors';

/** What any operation may fail with; that something is not there, each says itself. */
const COMMON: ReadonlySet<unknown> = new Set(
  Object.values(errors)
    .flatMap((value) => (typeof value === 'function' && 'row' in value ? [value.row] : []))
    .filter(({ status }) => status !== 404),
);

/** Throws when an endpoint answers with an error it does not declare. */
export function assertDeclared(endpoint: AnyEndpoint, error: errors.ApiError): void {
  if (COMMON.has(error.row)) return;
  if (endpoint.fails.some((factory) => factory.row === error.row)) return;
  if (endpoint.who.fails.some((factory) => factory.row === error.row)) return;
  throw new Error(`${endpoint.id} failed with an error it does not declare: ${error.row.code} "${error.message}"`);
}

/** Throws when an operation that administers told people of a change and left no entry in the audit log. */
export function assertAudited({ id, who, changesNothing }: AnyEndpoint): void {
  const administers = who === administrators || who === owners;
  if (administers && !changesNothing) throw new Error(`${id} left no entry in the audit log`);
}

/** Throws when an endpoint's reply does not fit its declaration; ready bytes are read for it. */
export function assertReply(endpoint: AnyEndpoint, reply: Record<string, unknown> | Held | RawBody): void {
  if (reply instanceof Held || (reply instanceof RawBody && reply.encoding !== undefined)) return;
  const result = endpoint.replySchema.safeParse(reply instanceof RawBody ? ownFields(reply) : withoutUndefined(reply));
  if (!result.success) throw new Error(`${endpoint.id} replied outside its declaration: ${result.error.message}`);
}

/** What the pipeline adds to every success. */
const ENVELOPE: ReadonlySet<string> = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

/** The fields of ready bytes without those of the envelope. */
function ownFields(reply: RawBody): unknown {
  const { body } = reply;
  const whole: unknown = JSON.parse(String(Array.isArray(body) ? Buffer.concat(body) : body));
  const fields = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
  return Object.fromEntries(fields.filter(([name]) => !ENVELOPE.has(name)));
}

/** What JSON leaves out is no part of the reply. */
function withoutUndefined(reply: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(reply));
}
