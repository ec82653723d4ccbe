import { type ApiError, ParameterFault, ParameterMissing, ParametersConfusing } from '#kernel/errors';
import { MAX_ID } from '#kernel/ids';
import { onceFor } from '#kernel/lists';
import { firstFault, mostParts } from '#kernel/schema';
import { wholeFractionsBroken } from '#kernel/text';
import { countParts, nesting } from './json-text.ts';
import type { Param, Params, Posted, UploadedFile } from './params.ts';

/** What a request carries, before it is decoded. */
export interface Fields {
  /** Texts by name. The body takes precedence over the query string; of a repeated name, the last one counts. */
  readonly texts: ReadonlyMap<string, string>;
  readonly path: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
  readonly posted: Posted;
}

/** Names that the pipeline itself reads; never reported as ignored. See protocol/wire#envelope. */
const OWN_NAMES = ['client', 'api_key', 'csrfmiddlewaretoken', 'method'];

/** Decodes parameters in declared order; throws the first fault. */
export function decode(params: Params, fields: Fields): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of entriesOf(params)) values[name] = decodeOne(name, param, fields);
  return values;
}

/** An operation's parameters as pairs. */
const entriesOf = onceFor((params: Params) => Object.entries(params));

/** Names that were sent and that the operation does not declare, sorted. */
export function ignoredParameters(params: Params, fields: Fields): readonly string[] {
  const known = namesOf(params);
  return [...fields.texts.keys()].filter((name) => !known.has(name)).toSorted();
}

/** All names by which an operation's parameters may be sent, and those that the pipeline reads. */
const namesOf = onceFor((params: Params): ReadonlySet<string> => {
  const aliases = Object.values(params).flatMap(({ alias }) => alias ?? []);
  return new Set([...Object.keys(params), ...aliases, ...OWN_NAMES]);
});

function decodeOne(name: string, param: Param, fields: Fields): unknown {
  if (param.encoding === 'path') return decodePathId(name, param, fields.path[name] ?? '');
  if (param.encoding === 'pathText') return checked(param, name, fields.path[name] ?? '');
  if (param.encoding === 'file') return fields.file;
  if (param.encoding === 'body') return fields.posted;
  const sent = textOf(name, param, fields);
  if (sent === undefined) {
    if (param.required) throw ParameterMissing({ var_name: name });
    return param.default;
  }
  return param.encoding === 'raw' ? checked(param, sent.name, sent.text) : decodeJson(param, sent.name, sent.text);
}

function textOf(name: string, param: Param, fields: Fields): { name: string; text: string } | undefined {
  const own = fields.texts.get(name);
  const other = param.alias === undefined ? undefined : fields.texts.get(param.alias);
  if (own !== undefined && other !== undefined)
    throw ParametersConfusing({ var_name1: name, var_name2: param.alias ?? '' });
  if (own !== undefined) return { name, text: own };
  return other === undefined ? undefined : { name: param.alias ?? name, text: other };
}

function decodeJson(param: Param, name: string, text: string): unknown {
  if (nesting(text) <= MAX_DEPTH) assertPartsBounded(param, name, text);
  const parsed = parseJson(text);
  if (parsed === undefined || hasUnpairedSurrogate(text, parsed.value)) {
    if (param.encoding === 'lenient') return checked(param, name, text);
    throw ParameterFault({ fault: `${name} is not valid JSON` });
  }
  // JSON null means absent for an optional parameter, unless null is a valid value of it.
  if (parsed.value === null && !param.required && 'fault' in firstFault(param.schema, name, null)) return param.default;
  if (param.encoding === 'lenient' && 'fault' in firstFault(param.schema, name, parsed.value)) {
    const plain = firstFault(param.schema, name, text);
    if ('value' in plain) return plain.value;
  }
  const value = checked(param, name, parsed.value);
  const broken = wholeFractionsBroken(text);
  // Integers must not be written as fractions: with `5.0` replaced by `0.5`, only a schema for any number accepts them.
  if (broken !== undefined) checked(param, name, JSON.parse(broken));
  return value;
}

/**
 * Parses JSON of unknown shape, within the limits of any parameter; undefined if it is not JSON, or too large.
 */
export function parseBounded(text: string): { readonly value: unknown } | undefined {
  return countParts(text, MAX_PARTS) > MAX_PARTS ? undefined : parseJson(text);
}

function checked(param: Param, name: string, value: unknown): unknown {
  const result = firstFault(param.schema, name, value);
  if ('fault' in result) throw fault(result.fault);
  return result.value;
}

function fault(text: string): ApiError {
  return ParameterFault({ fault: text });
}

/** Decodes an ID in the path. The route matches only digits; a number above all IDs becomes 0, the ID of nothing. */
function decodePathId(name: string, param: Param, text: string): unknown {
  const id = Number(text);
  return checked(param, name, id > MAX_ID ? 0 : id);
}

/**
 * Values that JSON may have beyond those that its schema can take, for members that are ignored: that many times as
 * many, and a constant.
 */
const IGNORED_PARTS = 4;
const IGNORED_PARTS_ANYWAY = 100;
/** Most values of any parameter: reading them takes about 30 ms. */
const MAX_PARTS = 200_000;
const mostOf = onceFor(({ schema }: Param) =>
  Math.min(MAX_PARTS, mostParts(schema) * IGNORED_PARTS + IGNORED_PARTS_ANYWAY),
);

/** Refuses JSON with more values than its schema can take, before it is parsed. */
function assertPartsBounded(param: Param, name: string, text: string): void {
  const most = mostOf(param);
  // A text of at most that many characters cannot have more values.
  if (text.length > most && countParts(text, most) > most) throw fault(`${name} is too long (limit: ${most} values)`);
}

/** Deepest nesting of JSON in a parameter; deeper texts are refused before they are parsed. */
const MAX_DEPTH = 64;

function parseJson(text: string): { value: unknown } | undefined {
  if (nesting(text) > MAX_DEPTH) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * An escaped surrogate in JSON as clients write it, and an unpaired one in the output of `JSON.stringify`, which
 * escapes only those. Two backslashes stand for one in the text.
 */
const SURROGATE = /\\u[dD][89a-fA-F]/;
const UNPAIRED = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * Whether a text contains an unpaired surrogate; databases would store all of them as the same replacement character.
 */
function hasUnpairedSurrogate(text: string, value: unknown): boolean {
  return SURROGATE.test(text) && UNPAIRED.test(JSON.stringify(value));
}
