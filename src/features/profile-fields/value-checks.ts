import type { UserRow } from '#features/users';
import { codePointLength, oneLine } from '#kernel/text';
import * as errors from './errors.ts';
import type { ProfileFieldRow } from './tables.ts';
import { FieldType } from './types.ts';

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'ftps:']);
/** Longest address, in UTF-16 units; browsers accept no longer ones. */
const MAX_LENGTH = 2048;

/** Whether a text is an absolute web address that a profile may link to. See protocol/profile-fields#values. */
export function isWebAddress(text: string): boolean {
  if (text.length > MAX_LENGTH || !/^[a-z]+:\/\/[^\s/\\"<>]/i.test(text) || /[\s"<>\\]/.test(text)) return false;
  return URL.canParse(text) && SCHEMES.has(new URL(text).protocol);
}

/** What a client sends for a field. */
export type SentValue = string | readonly unknown[];

/** The people whom a client may name, by ID. */
export type People = ReadonlyMap<number, UserRow>;

type Check = (field: ProfileFieldRow, sent: SentValue, people: People) => string;

/** Longest short and long text, in code points. See protocol/profile-fields#types. */
const MAX_SHORT = 50;
const MAX_LONG = 500;

/**
 * Validates a value and returns it as it is stored; throws the error of the field's type. See
 * protocol/profile-fields#types, check 4.
 */
export function checkedValue(field: ProfileFieldRow, sent: SentValue, people: People): string {
  const check = CHECKS.get(field.field_type);
  if (!check) throw errors.InvalidFieldType();
  return check(field, sent, people);
}

const CHECKS: ReadonlyMap<number, Check> = new Map<number, Check>([
  [FieldType.shortText, lines],
  [FieldType.longText, texts(MAX_LONG)],
  [FieldType.choice, choices],
  [FieldType.date, dates],
  [FieldType.link, links],
  [FieldType.users, users],
  [FieldType.externalAccount, lines],
  [FieldType.pronouns, lines],
]);

function textOf({ name }: ProfileFieldRow, sent: SentValue): string {
  if (typeof sent !== 'string') throw errors.NotAText({ name });
  return sent;
}

function texts(max: number): Check {
  return (field, sent) => {
    const value = textOf(field, sent);
    if (codePointLength(value) > max) throw errors.TextTooLong({ name: field.name, max });
    return value;
  };
}

function lines(field: ProfileFieldRow, sent: SentValue, people: People): string {
  return oneLine(texts(MAX_SHORT)(field, sent, people));
}

function choices(field: ProfileFieldRow, sent: SentValue): string {
  const value = textOf(field, sent);
  if (!Object.hasOwn(field.field_data ?? {}, value)) throw errors.NotAChoice({ name: field.name, value });
  return value;
}

function dates(field: ProfileFieldRow, sent: SentValue): string {
  const value = textOf(field, sent);
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || !isRealDate(value)) throw errors.NotADate({ name: field.name });
  return value;
}

/** Whether a date exists: a date that the calendar does not have is formatted as another one. */
function isRealDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000');
}

function links(field: ProfileFieldRow, sent: SentValue): string {
  const value = textOf(field, sent);
  if (!isWebAddress(value)) throw errors.NotAnAddress({ name: field.name });
  return value;
}

function users(_field: ProfileFieldRow, sent: SentValue, people: People): string {
  const ids = userIdsIn(sent);
  const unknown = ids.filter((id) => !people.has(id));
  if (unknown.length > 0) throw errors.InvalidUsers({ ids: unknown.join(', ') });
  for (const id of ids.toSorted((a, b) => a - b)) {
    if (people.get(id)?.is_active !== true) throw errors.UserDeactivated({ id });
    if (people.get(id)?.is_bot === true) throw errors.UserIsBot({ id });
  }
  return JSON.stringify(ids);
}

/** The IDs in a value of type users, each once. */
function userIdsIn(sent: SentValue): readonly number[] {
  if (typeof sent === 'string') throw errors.UsersNotAList();
  const ids = new Set<number>();
  for (const [index, id] of sent.entries()) {
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw errors.UserNotAnInteger({ index });
    ids.add(id);
  }
  return [...ids];
}
