import { stdSerializers } from 'pino';

/** Depth to which fields are searched; deeper ones are left out. */
const MAX_DEPTH = 6;

/**
 * What may be written of a value: without the query strings of addresses in its texts, of an error message, stack and
 * fields, and of a request method and path. Keys of API callers and tokens of links stand in queries.
 */
function withoutQueries(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (value instanceof URL) return cut(value.href);
  if (Array.isArray(value)) return value.map((one) => withoutQueries(one, depth + 1));
  return fieldsWithoutQueries(value, depth);
}

/** The same of each field. */
export function fieldsWithoutQueries(value: object, depth = 0): Record<string, unknown> {
  if (isRequest(value)) return { method: value.method, path: value.url.split('?', 1)[0] };
  const fields = value instanceof Error ? stdSerializers.err(value) : value;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutQueries(field, depth + 1)]));
}

/** Whether it is a request of the HTTP server, whose headers and socket must not be logged. */
function isRequest(value: object): value is { readonly method: unknown; readonly url: string } {
  return 'rawHeaders' in value && 'method' in value && 'url' in value && typeof value.url === 'string';
}

/** A question mark after anything but a space begins a query, which ends with the next space or quote. */
function cut(text: string): string {
  return text.includes('?') ? text.replaceAll(/(?<=\S)\?[^\s"'<>`]+/g, '?…') : text;
}
