import { z } from 'zod';
import type { Id } from '#kernel/ids';
import { codePointLength, oneLine } from '#kernel/text';

/** The shape of a value: checks it, types it, documents it. */
export type Schema<T = unknown> = z.ZodType<T>;
/** The type of the values a schema accepts. */
export type SchemaOf<S> = S extends z.ZodType<infer T> ? T : never;
/** Members of an object, by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** Default for the most code points of a text: above every limit of a name, so that names keep their own errors. */
export const MAX_TEXT = 10_000;
/**
 * Most code points of Markdown that is sent; a message is cut to its own limit behind that.
 * See protocol/editing#history.
 */
export const MAX_MARKDOWN = 100_000;

interface TextBounds {
  /** Fewest code points; 1 refuses blank text. */
  readonly min?: number;
  /** Most code points; MAX_TEXT where it is not given. */
  readonly max?: number;
  /** Whether it may contain a NUL character; the caller then refuses that with its own error. */
  readonly nul?: 'allowed';
  /** Whether line breaks and control characters become spaces: for names, which are shown on one line. */
  readonly line?: true;
  /** Whether white space around it is dropped before it is measured. */
  readonly trim?: boolean;
}

/** Text of a request: bounded in code points, without NUL bytes. */
export function text(bounds: TextBounds = {}): z.ZodType<string> {
  let schema = z.string();
  if (bounds.nul !== 'allowed') {
    schema = schema.refine((value) => !value.includes('\u0000'), { error: 'Value error, null bytes are not allowed' });
  }
  if (bounds.line) schema = schema.overwrite(oneLine);
  if (bounds.trim) schema = schema.trim();
  const { min, max = MAX_TEXT } = bounds;
  if (min !== undefined) schema = schema.min(min);
  return schema.refine((value) => fits(value, max), { params: { tooLong: max } }).meta({ maxLength: max });
}

/** Whether a text has at most so many code points; one that is far too long is not counted. */
function fits(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && codePointLength(value) <= max);
}

/** Text of a response, unbounded. */
export const str = (): z.ZodString => z.string();
export const bool = (): z.ZodBoolean => z.boolean();
/** A number of a response, unbounded. */
export const float = (): z.ZodNumber => z.number();
/** A number of a request, as far from nought as exact integers go. */
export const amount = (): z.ZodNumber => z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
/** Seconds since 1970, UTC. */
export const timestamp = (): z.ZodInt => integer();
/** Any JSON value of a response or event. */
export const json = (): z.ZodUnknown => z.unknown();
/** Any JSON value of a request, written without spaces in at most so many characters. */
export const anything = (bounds: { readonly max: number }): z.ZodType<unknown> =>
  z
    .unknown()
    .refine((value) => value === undefined || JSON.stringify(value).length <= bounds.max, {
      params: { tooLong: bounds.max },
    })
    .meta({ [MAX_JSON_LENGTH]: bounds.max });

/** Whole numbers say so themselves: the library reports text as "not a number" for them. */
const integer = (): z.ZodInt => z.int({ error: (issue) => (issue.code === 'invalid_type' ? 'an integer' : undefined) });

/** A whole number, within bounds where given. */
export function int(bounds: { min?: number; max?: number } = {}): z.ZodType<number> {
  let schema = integer();
  if (bounds.min !== undefined) schema = schema.min(bounds.min);
  if (bounds.max !== undefined) schema = schema.max(bounds.max);
  return schema;
}

/** The ID of one kind of thing. */
export function idOf<T extends Id<string>>(): z.ZodType<T> {
  return integer() as unknown as z.ZodType<T>;
}

export const list = <S extends z.ZodType>(item: S, bounds: { min?: number; max?: number } = {}): z.ZodArray<S> => {
  let schema = z.array(item);
  if (bounds.min !== undefined) schema = schema.min(bounds.min);
  if (bounds.max !== undefined) schema = schema.max(bounds.max);
  return schema;
};
export const tuple = <A extends readonly [z.ZodType, ...z.ZodType[]]>(...items: A): z.ZodTuple<A> => z.tuple(items);
/** An object with these members and no others; for responses and events, which are exact. */
export const object = <S extends Shape>(shape: S): z.ZodObject<S, z.core.$strict> => z.strictObject(shape);
/** An object of a request whose unknown members are refused. */
export const strictObject = object;
/** An object of a request whose unknown members are ignored. */
export const lenientObject = <S extends Shape>(shape: S): z.ZodObject<S, z.core.$strip> => z.object(shape);
/** The same members, each of which may be absent. */
export const partial = <S extends Shape>(shape: S) => z.strictObject(shape).partial();
/** An object with free keys and values of one shape, of a response or event. */
export const dict = <S extends z.ZodType>(value: S): z.ZodRecord<z.ZodString, S> => z.record(z.string(), value);
/**
 * An object of a request with free keys and values of one shape: at most so many, with keys of at most `key` code
 * points.
 */
export const boundedDict = <S extends z.ZodType>(
  value: S,
  bounds: { readonly max: number; readonly key: number },
): z.ZodType<Record<string, SchemaOf<S>>> =>
  z
    .record(text({ max: bounds.key }), value)
    .refine((members) => Object.keys(members).length <= bounds.max, { params: { tooLong: bounds.max, of: 'members' } })
    .meta({ maxProperties: bounds.max }) as unknown as z.ZodType<Record<string, SchemaOf<S>>>;
export const nullable = <S extends z.ZodType>(inner: S): z.ZodNullable<S> => z.nullable(inner);
/** A member that may be absent. */
export const maybe = <S extends z.ZodType>(inner: S): z.ZodOptional<S> => z.optional(inner);
export const literal = <const T extends string | number | boolean | null>(value: T): z.ZodLiteral<T> =>
  z.literal(value);
/** One of a fixed set of words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) => z.enum(words);
/** One of a fixed set of numbers. */
export const oneOfNumbers = <const T extends number>(...numbers: readonly T[]): z.ZodType<T> =>
  z.literal(numbers as readonly [T, ...T[]]) as unknown as z.ZodType<T>;
/** Name, in the JSON Schema, of the most characters that any JSON value may have when written without spaces. */
export const MAX_JSON_LENGTH = 'x-max-json-length';

/** A value of one of several shapes; a fault is reported for the shape that came furthest. */
export const anyOf = <A extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(...shapes: A): z.ZodUnion<A> =>
  z.union(shapes);
/** A value of one of a list of shapes, which has at least one. */
export function anyShape(shapes: readonly z.ZodType[]): z.ZodType {
  const [only] = shapes;
  return only && shapes.length === 1 ? only : z.union(shapes);
}
/**
 * A whole number, or a list of at most `max`; the fault names the number, whatever was wrong.
 * See protocol/saved#editing-a-scheduled-message.
 */
export const intOrInts = (bounds: { readonly max: number }): z.ZodType<number | number[]> =>
  z.union([integer(), z.array(integer()).max(bounds.max)], { error: '["int"] is not an integer' });

/** A value with a rule of its own; `fault` follows "Invalid {parameter}: Value error, ". */
export const refined = <T>(schema: z.ZodType<T>, holds: (value: T) => boolean, fault: string): z.ZodType<T> =>
  schema.refine(holds, { error: `Value error, ${fault}` });

/** A value that is turned into another after it was checked. */
export const transformed = <T, U>(schema: z.ZodType<T>, change: (value: T) => U): z.ZodType<U> =>
  schema.transform(change) as unknown as z.ZodType<U>;

/** Text of at most `max` characters, of a form that a pattern gives. */
export const matching = (pattern: RegExp, bounds: { readonly max: number }): z.ZodType<string> =>
  z.string().max(bounds.max).regex(pattern);

/** A colour: # and three to six hex digits. See protocol/channels#names. */
export const color = (): z.ZodType<string> =>
  z
    .string()
    .refine((value) => /^#([a-fA-F0-9]{3,6})$/.test(value), { params: { is: 'a valid hex color code' } })
    .meta({ maxLength: 7 });

/** The address of something on the web, or none at all (empty). */
export const webUrl = (): z.ZodType<string> =>
  z
    .string()
    .refine((value) => value === '' || isWebUrl(value), { params: { is: 'a URL' } })
    .meta({ maxLength: MAX_URL });

/** Longest address of something on the web, in characters. */
const MAX_URL = 8192;

function isWebUrl(value: string): boolean {
  return value.length <= MAX_URL && /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '');
}

/** An email address as forms accept it: one @ with something sensible on both sides. */
export const email = (): z.ZodType<string> => z.email();

/** The default of each setting of a table, typed by its schema. */
export function defaultsOf<
  const S extends Readonly<Record<string, { readonly schema: z.ZodType; readonly default: unknown }>>,
>(settings: S): { readonly [K in keyof S]: SchemaOf<S[K]['schema']> } {
  const values = Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default]));
  // Each declaration ties its default to its schema.
  return values as { readonly [K in keyof S]: SchemaOf<S[K]['schema']> };
}
