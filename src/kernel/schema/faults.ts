import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a float',
  array: 'a list',
  tuple: 'a list',
  object: 'a dict',
  record: 'a dict',
  string: 'a string',
  date: 'a date',
};

/**
 * The first fault of `value` under `schema` in the protocol's words (protocol/errors#parameter-faults), or the decoded
 * value. The schema library's own text never leaves this room.
 */
export function firstFault<T>(schema: z.ZodType<T>, name: string, value: unknown): { value: T } | { fault: string } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  return { fault: issue ? describe(issue, name, value) : `Invalid ${name}` };
}

/** The decoded value, if the schema accepts it. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return schema.safeParse(value).data;
}

/** Whether a schema accepts a value. */
export function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

function describe(issue: Issue, name: string, value: unknown): string {
  const at = name + issue.path.map(segment).join('');
  const found = issue.path.reduce<unknown>(member, value);
  if (found === undefined && issue.path.length > 0) return `${at} field is missing: Field required`;
  switch (issue.code) {
    case 'invalid_type':
      return wrongKind(issue, at);
    case 'invalid_value':
      return `Invalid ${at}`;
    case 'too_big':
      return tooBig(issue, at);
    case 'too_small':
      return tooSmall(issue, at);
    case 'unrecognized_keys':
      return `Argument "${issue.keys[0]}" at ${at} is unexpected`;
    case 'invalid_union':
      if (issue.message.startsWith('[')) return at + issue.message;
      return describe(furthest(issue), at, found);
    case 'invalid_format':
      return `${at} has invalid format`;
    case 'custom':
      return ownRule(issue, at);
    default:
      return `Invalid ${at}`;
  }
}

function wrongKind(issue: z.core.$ZodIssueInvalidType, at: string): string {
  return `${at} is not ${issue.message === 'an integer' ? issue.message : (KINDS[issue.expected] ?? 'valid')}`;
}

function tooBig(issue: z.core.$ZodIssueTooBig, at: string): string {
  if (issue.origin === 'string') return `${at} is too long (limit: ${issue.maximum} characters)`;
  if (issue.origin === 'array') return `${at} is too long (limit: ${issue.maximum} items)`;
  // The library reports an integer beyond 2^53 as too big without a bound of ours.
  return `${at} is too large`;
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, at: string): string {
  if (issue.origin === 'array') return `${at} is too short.`;
  if (issue.origin !== 'string') return `${at} is too small`;
  return issue.minimum === 1 ? `${at} cannot be blank` : `${at} is too short.`;
}

function ownRule(issue: z.core.$ZodIssueCustom, at: string): string {
  const params = issue.params ?? {};
  const { of = 'characters' } = params;
  if (typeof params['tooLong'] === 'number') return `${at} is too long (limit: ${params['tooLong']} ${String(of)})`;
  if (typeof params['is'] === 'string') return `${at} is not ${params['is']}`;
  return issue.message === 'Invalid input' ? `Invalid ${at}` : `Invalid ${at}: ${issue.message}`;
}

/** The issue of the branch that came furthest into the value; the first branch where none did. */
function furthest(issue: z.core.$ZodIssueInvalidUnion): Issue {
  let best: Issue | undefined;
  for (const branch of issue.errors) {
    const candidate = branch[0];
    if (candidate && (!best || rank(candidate) > rank(best))) best = candidate;
  }
  return best ?? { code: 'custom', path: [], message: 'Invalid input', input: undefined };
}

/** A fault inside the value, or of a bound, shows that the value was meant for that branch. */
function rank(issue: Issue): number {
  return issue.path.length * 2 + (issue.code === 'invalid_type' ? 0 : 1);
}

function segment(part: PropertyKey): string {
  return typeof part === 'number' ? `[${part}]` : `["${String(part)}"]`;
}

function member(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
