import type { AnyEndpoint, Param } from '#kernel/endpoint';
import { toJsonSchema } from '#kernel/schema';

type Json = Readonly<Record<string, unknown>>;

/** Parameters in the path, and those in the query: of a GET, and where the body is something else. */
export function parameters(endpoint: AnyEndpoint): readonly Json[] {
  return Object.entries(endpoint.params).flatMap(([name, param]) => {
    if (param.encoding === 'path' || param.encoding === 'pathText') {
      return [{ name, in: 'path', required: true, ...described(param), schema: pathSchema(param) }];
    }
    if (param.encoding === 'body') return [];
    return endpoint.method === 'GET' || bodyOf(endpoint) ? [queryParameter(name, param)] : [];
  });
}

/** The form of every other method: urlencoded, or multipart where a file is sent. */
export function requestBody(endpoint: AnyEndpoint): Json | undefined {
  const fields = Object.entries(endpoint.params).filter(
    ([, param]) => param.encoding !== 'path' && param.encoding !== 'pathText',
  );
  if (endpoint.method === 'GET' || fields.length === 0) return undefined;
  const whole = bodyOf(endpoint);
  if (whole) return { required: whole.required, content: { 'application/json': { schema: fieldSchema(whole) } } };
  const required = fields.filter(([, param]) => param.required).map(([name]) => name);
  const form = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, param]) => [name, fieldSchema(param)])),
      ...(required.length > 0 && { required }),
    },
    encoding: Object.fromEntries(
      fields
        .filter(([, param]) => param.encoding === 'json')
        .map(([name]) => [name, { contentType: 'application/json' }]),
    ),
  };
  const hasFile = fields.some(([, param]) => param.encoding === 'file');
  const type = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { required: required.length > 0 || hasFile, content: { [type]: form } };
}

/** The parameter that is the whole body, where there is one. */
function bodyOf(endpoint: AnyEndpoint): Param | undefined {
  return Object.values(endpoint.params).find((param) => param.encoding === 'body');
}

function queryParameter(name: string, param: Param): Json {
  const schema = fieldSchema(param);
  const place = { name, in: 'query', required: param.required, ...described(param) };
  return param.encoding === 'json' ? { ...place, content: { 'application/json': { schema } } } : { ...place, schema };
}

function fieldSchema(param: Param): Json {
  if (param.encoding === 'file') return { type: 'string', contentMediaType: 'application/octet-stream' };
  const schema = toJsonSchema(param.schema);
  return { ...schema, ...described(param), ...(param.default !== undefined && { default: param.default }) };
}

function pathSchema(param: Param): Json {
  return param.encoding === 'path' ? { type: 'integer', minimum: 0 } : { type: 'string', minLength: 1 };
}

function described(param: Param): Json {
  return param.doc === '' ? {} : { description: param.doc };
}
