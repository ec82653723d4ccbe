import { administrators, type AnyEndpoint, Held, owners, RawBody } from '#kernel/endpoint';
import * as errors from '#kernel/errors';

/** Errors that several slices use but not every operation has. */
const OF_SOME: ReadonlySet<unknown> = new Set([errors.ParameterInvalid.row, errors.ParametersIncompatible.row]);
/** Errors that any operation may have. Those for missing things are declared by each operation. */
const COMMON: ReadonlySet<unknown> = new Set(
  Object.values(errors)
    .flatMap((value) => (typeof value === 'function' && 'row' in value ? [value.row] : []))
    .filter((row) => row.status !== 404 && !OF_SOME.has(row)),
);

/** Throws if an endpoint replies with an error that it does not declare. */
export function assertDeclared(endpoint: AnyEndpoint, error: errors.ApiError): void {
  if (COMMON.has(error.row)) return;
  if (endpoint.fails.some((factory) => factory.row === error.row)) return;
  if (endpoint.who.fails.some((factory) => factory.row === error.row)) return;
  throw new Error(`${endpoint.id} failed with an error it does not declare: ${error.row.code} "${error.message}"`);
}

/** Throws if an operation for administrators emitted a change without an entry in the audit log. */
export function assertAudited({ id, who, changesNothing }: AnyEndpoint): void {
  const administers = who === administrators || who === owners;
  if (administers && !changesNothing) throw new Error(`${id} left no entry in the audit log`);
}

/** Throws if an endpoint's reply does not match its declaration; serialized replies are parsed for that. */
export function assertReply(endpoint: AnyEndpoint, reply: Record<string, unknown> | Held | RawBody): void {
  if (reply instanceof Held || (reply instanceof RawBody && reply.encoding !== undefined)) return;
  const result = endpoint.replySchema.safeParse(reply instanceof RawBody ? ownFields(reply) : withoutUndefined(reply));
  if (!result.success) throw new Error(`${endpoint.id} replied outside its declaration: ${result.error.message}`);
}

/** Fields that the pipeline adds to every success. */
const ENVELOPE: ReadonlySet<string> = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

/** The fields of a serialized reply, without those of the envelope. */
function ownFields(reply: RawBody): unknown {
  const { body } = reply;
  const whole: unknown = JSON.parse(String(Array.isArray(body) ? Buffer.concat(body) : body));
  const fields = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
  return Object.fromEntries(fields.filter(([name]) => !ENVELOPE.has(name)));
}

/** The reply as JSON has it: without undefined values. */
function withoutUndefined(reply: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(reply));
}
