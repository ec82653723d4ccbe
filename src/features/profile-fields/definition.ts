import { ParameterFault } from '#kernel/errors';
import { dict, firstFault, maybe, object, type Schema, text } from '#kernel/schema';
import * as errors from './errors.ts';
import { FieldType, isFieldType, knownAccount } from './types.ts';
import type { FieldData, ProfileFieldRow } from './tables.ts';
import { isWebAddress } from './value-checks.ts';

/** Longest label and hint, in code points. See protocol/profile-fields#types. */
export const MAX_LABEL = 40;
export const MAX_HINT = 80;
/** Most fields in the summary of a profile. See protocol/profile-fields#types. */
export const MAX_IN_SUMMARY = 2;
/** Longest text of a choice or of a pattern; definitions are part of every register response. */
const MAX_PART = 500;

/** The definition of a field. */
export type Definition = Omit<ProfileFieldRow, 'id' | 'realm_id' | 'position'>;

const choice = object({ text: text({ min: 1, max: MAX_PART }), order: text({ min: 1, max: MAX_PART }) });
const account = object({ subtype: text({ min: 1, max: MAX_PART }), url_pattern: maybe(text({ max: MAX_PART })) });

/** Validates a definition, except for the uniqueness of its label. See protocol/profile-fields#definitions. */
export function checkedDefinition(definition: Definition): Definition {
  const { field_type, display_in_profile_summary } = definition;
  const field_data = checkedData(field_type, definition.field_data ?? {});
  const named = knownAccount(field_type === FieldType.externalAccount ? field_data?.['subtype'] : undefined);
  const name = named?.name ?? definition.name;
  if (name === '') throw errors.BlankLabel();
  if (!isFieldType(field_type)) throw errors.InvalidFieldType();
  const isUnfit = field_type === FieldType.longText || field_type === FieldType.users;
  if (display_in_profile_summary && isUnfit) throw errors.NotForSummary();
  return { ...definition, name, hint: named?.hint ?? definition.hint, field_data };
}

/**
 * Whether the server, not the organization, defines a field's label and hint. See protocol/profile-fields#definitions.
 */
export function isKnownAccount({
  field_type,
  field_data,
}: Pick<ProfileFieldRow, 'field_type' | 'field_data'>): boolean {
  return field_type === FieldType.externalAccount && knownAccount(field_data?.['subtype']) !== undefined;
}

/** The validated data of a type; null for types that need none, whatever was sent. */
function checkedData(type: number, data: FieldData): FieldData | null {
  if (type === FieldType.choice) return checkedChoices(data);
  return type === FieldType.externalAccount ? checkedAccount(data) : null;
}

function checkedChoices(data: FieldData): FieldData {
  if (Object.keys(data).length === 0) throw errors.NoChoice();
  if (Object.keys(data).some((key) => key.trim() === '')) throw errors.BlankChoiceKey();
  const choices = Object.values(fitting(dict(choice), data));
  if (new Set(choices.map((one) => one.text)).size < choices.length) throw errors.DuplicateChoices();
  return data;
}

function checkedAccount(data: FieldData): FieldData {
  const { subtype, url_pattern } = fitting(account, data);
  if (url_pattern !== undefined) assertPattern(url_pattern);
  if (knownAccount(subtype)) return { subtype };
  if (subtype !== 'custom') throw errors.InvalidAccountType();
  if (url_pattern === undefined) throw errors.UrlPatternMissing();
  return { subtype, url_pattern };
}

function assertPattern(pattern: string): void {
  if (pattern.split('%(username)s').length !== 2) throw errors.UrlPatternWithoutName();
  if (!isWebAddress(pattern.replace('%(username)s', 'username')))
    throw ParameterFault({ fault: 'url_pattern is not a URL' });
}

function fitting<T>(schema: Schema<T>, data: FieldData): T {
  const result = firstFault(schema, 'field_data', data);
  if ('fault' in result) throw ParameterFault({ fault: result.fault });
  return result.value;
}
