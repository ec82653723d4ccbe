import type { ApiError } from '#kernel/errors';

/** SCIM's error types (RFC 7644, section 3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A refused request, as a SCIM error. */
export class ScimFault extends Error {
  override readonly name = 'ScimFault';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const noSuch = () => new ScimFault(404, 'There is no such resource.');
export const badValue = (detail: string) => new ScimFault(400, detail, 'invalidValue');
export const badPath = (detail: string) => new ScimFault(400, detail, 'invalidPath');
export const badSyntax = (detail: string) => new ScimFault(400, detail, 'invalidSyntax');
export const badFilter = (detail: string) => new ScimFault(400, detail, 'invalidFilter');

/** Longest text of an attribute. */
const MAX_TEXT = 320;

/** A text of an attribute, trimmed. */
export function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TEXT)
    throw badValue(`${name} must be a text of 1 to ${MAX_TEXT} characters.`);
  return value.trim();
}

/** Error messages of ordinary actions which mean that the value is taken, or that something depends on it. */
const CONFLICTS =
  /already (?:in use|exists|has an account)|Account has been deactivated|in use\.|only organization owner|Unique names/i;

/** Converts an error of the ordinary actions to a SCIM error. */
export function faultOf(error: ApiError): ScimFault {
  const { status } = error.row;
  if (error.row.code === 'RATE_LIMIT_HIT') return new ScimFault(429, error.message);
  if (CONFLICTS.test(error.message)) return new ScimFault(409, error.message, 'uniqueness');
  if (/^(?:Must be|Insufficient permission)/.test(error.message)) return new ScimFault(403, error.message);
  if (/^No such user|^Invalid user group$/.test(error.message)) return noSuch();
  return status === 400 ? badValue(error.message) : new ScimFault(status, error.message);
}

/** The body of a SCIM error. */
export function toWireFault({ status, scimType, message }: ScimFault) {
  return { schemas: [SCHEMA], status: String(status), ...(scimType && { scimType }), detail: message };
}
