import { CallFailure } from '../../api/index.ts';

/** The fields of a form by parameter, each with a pattern of the server's sentences about it, if it has one. */
export type FormFields = ReadonlyMap<string, RegExp | undefined>;

/** Codes that are about one parameter. See protocol/errors#codes. */
const CODES: Readonly<Record<string, string>> = {
  CHANNEL_ALREADY_EXISTS: 'name',
  INVITATION_FAILED: 'invitee_emails',
};
/** Codes that are about who asks, or how often, and not about what was typed. */
const ABOUT_ASKER: ReadonlySet<string> = new Set(['RATE_LIMIT_HIT', 'UNAUTHORIZED_PRINCIPAL', 'CONFIRMATION_REQUIRED']);

/**
 * Returns the field that a refusal is about: the one whose parameter the server names, the one whose pattern matches
 * its sentence, or the only one that was changed. Undefined where the refusal is about the whole form.
 */
export function meantField(error: unknown, fields: FormFields, changed: readonly string[]): string | undefined {
  if (!(error instanceof CallFailure) || error.kind !== 'refused' || ABOUT_ASKER.has(error.code)) return undefined;
  const names = [...fields.keys()];
  const isMeant = (name: string) => named(error).includes(name) || fields.get(name)?.test(error.message) === true;
  const [only, ...others] = names.length === 1 ? names : changed;
  return names.find(isMeant) ?? (others.length === 0 && only !== undefined && fields.has(only) ? only : undefined);
}

/** The parameters that a refusal names: by its code, in its fields, or at the beginning of its sentence. */
function named({ code, extra, message }: CallFailure): readonly unknown[] {
  const faults = extra['errors'];
  const first = /^'?(\w+)\b/.exec(message)?.[1];
  return [extra['var_name'], CODES[code], ...(typeof faults === 'object' && faults ? Object.keys(faults) : []), first];
}
