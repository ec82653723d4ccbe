/**
 * Why a call failed. `refused`: the server says why. `away`: there was no valid reply, so the call may or may not have
 * taken effect. `signedOut`: the session has ended.
 */
export type FailureKind = 'refused' | 'away' | 'signedOut';

/** The error of a failed call. If the server refused, its message may be shown to the person. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  /** The API's code, or one of our own: TIMEOUT, OFFLINE, NOT_JSON. */
  readonly code: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** The message in the language of the page. */
  sentence: string;

  constructor(kind: FailureKind, facts: { code: string; status: number; message?: string; extra?: object }) {
    super(facts.message ?? facts.code);
    this.sentence = this.message;
    this.kind = kind;
    this.code = facts.code;
    this.status = facts.status;
    this.extra = { ...facts.extra };
  }
}

/** Codes which mean that the session has ended. */
const ENDED: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'INVALID_API_KEY',
]);

/** Returns the failure in a reply; undefined for a success. */
export function failureOf(status: number, body: unknown): CallFailure | undefined {
  if (!isRecord(body)) return notJson(status);
  if (status === 200 && body['result'] === 'success') return undefined;
  const { msg, code } = body;
  // The reply of a proxy, not of the API.
  if (typeof msg !== 'string') return notJson(status);
  const facts = { code: typeof code === 'string' ? code : '', status, message: msg, extra: body };
  if (status >= 500) return new CallFailure('away', facts);
  return new CallFailure(ENDED.has(facts.code) && [401, 403].includes(status) ? 'signedOut' : 'refused', facts);
}

function notJson(status: number): CallFailure {
  return new CallFailure('away', { code: 'NOT_JSON', status });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
