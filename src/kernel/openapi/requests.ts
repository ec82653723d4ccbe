import type { AnyEndpoint, Param } from '#kernel/endpoint';
import { MAX_ID } from '#kernel/ids';
import type { Schemas } from './schemas.ts';
import { described } from './vocabulary/index.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the parameters in the path, and those in the query: of a GET, and of an operation with a parameter that is
 * the whole body.
 */
export function parameters(endpoint: AnyEndpoint, schemas: Schemas): readonly Json[] {
  return Object.entries(endpoint.params).flatMap(([name, param]) => {
    if (param.encoding === 'path' || param.encoding === 'pathText') {
      return [{ name, in: 'path', required: true, ...words(name, param), schema: pathSchema(param, schemas) }];
    }
    if (param.encoding === 'body') return [];
    return endpoint.method === 'GET' || bodyOf(endpoint) ? [queryParameter(name, param, schemas)] : [];
  });
}

/**
 * Returns the body of an operation that is not a GET: a form, urlencoded or, if it has a file, multipart; or anything
 * if a parameter is the whole body.
 */
export function requestBody(endpoint: AnyEndpoint, schemas: Schemas): Json | undefined {
  const fields = Object.entries(endpoint.params).filter(
    ([, param]) => param.encoding !== 'path' && param.encoding !== 'pathText',
  );
  if (endpoint.method === 'GET' || fields.length === 0) return undefined;
  const whole = bodyOf(endpoint);
  if (whole) {
    const { description, example } = words(...whole);
    return { required: true, description, content: { 'application/json': { schema: {}, example }, ...FORM } };
  }
  const required = fields.filter(([, param]) => param.required).map(([name]) => name);
  const form = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, param]) => [name, fieldSchema(name, param, schemas)])),
      ...(required.length > 0 && { required }),
    },
  };
  const hasFile = fields.some(([, param]) => param.encoding === 'file');
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { required: required.length > 0 || hasFile, content: { [type]: form } };
}

/** Other services also send forms to operations that take the whole body. */
const FORM = { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };

/** Returns the parameter that is the whole body, if there is one. */
function bodyOf(endpoint: AnyEndpoint): readonly [string, Param] | undefined {
  return Object.entries(endpoint.params).find(([, param]) => param.encoding === 'body');
}

function queryParameter(name: string, param: Param, schemas: Schemas): Json {
  const { description, example } = words(name, param);
  const { schema, written } = wireForm(param, schemas);
  const { default: initial } = param;
  return {
    name,
    in: 'query',
    required: param.required,
    description,
    example: written(example),
    schema: { ...schema, ...(initial !== undefined && { default: written(initial) }) },
  };
}

function fieldSchema(name: string, param: Param, schemas: Schemas): Json {
  const { description, example } = words(name, param);
  if (param.encoding === 'file') return { type: 'string', contentMediaType: 'application/octet-stream', description };
  const { default: initial } = param;
  const { schema, written } = wireForm(param, schemas);
  return {
    ...schema,
    description,
    examples: [written(example)],
    ...(initial !== undefined && { default: written(initial) }),
  };
}

/**
 * Returns the schema of a parameter as it is sent. JSON numbers, booleans and null look the same in a form; all other
 * JSON is described as a text that contains JSON, because generated clients can send that, but no JSON list in a form.
 */
function wireForm({ encoding, schema }: Param, schemas: Schemas) {
  const own = schemas.of(schema, 'sent');
  if (encoding !== 'json' || isWrittenPlainly(own)) return { schema: own, written: (value: unknown) => value };
  const inText = { type: 'string', contentMediaType: 'application/json', contentSchema: own };
  return { schema: inText, written: (value: unknown) => JSON.stringify(value) };
}

const PLAIN: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean', 'null']);

function isWrittenPlainly({ type, const: only, enum: values, anyOf: several }: Json): boolean {
  if (Array.isArray(several)) return several.every(isWrittenPlainly);
  if (only !== undefined) return typeof only !== 'string';
  if (Array.isArray(values)) return values.every((value) => typeof value !== 'string');
  return PLAIN.has(type);
}

function pathSchema({ encoding, schema }: Param, schemas: Schemas): Json {
  const whole = schemas.of(schema, 'sent');
  // No ID is larger.
  return encoding === 'path' ? { ...whole, minimum: 0, maximum: MAX_ID } : { ...whole, minLength: 1 };
}

/** The meaning of a parameter, and an example. */
function words(name: string, param: Param): { readonly description: string; readonly example: unknown } {
  const { doc, example } = described(name, param);
  return { description: doc, example };
}
