import type { Method } from './types.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** The address and the body of a call. */
export interface Prepared {
  readonly url: string;
  readonly body: URLSearchParams | FormData | undefined;
}

/**
 * Puts parameters into the path where it names them; the rest becomes the query of a GET and the form of other methods.
 */
export function prepare(method: Method, path: string, parameters: Parameters): Prepared {
  const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\*?\}/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const url = `/api/v1${filled}`;
  if (method !== 'GET') return { url, body: formOf(rest) };
  const query = new URLSearchParams(
    [...rest].map(([name, value]): [string, string] => [name, encode(value)]),
  ).toString();
  return { url: query === '' ? url : `${url}?${query}`, body: undefined };
}

/** Sends strings as they are and everything else as JSON; with a file the form is multipart. */
function formOf(values: ReadonlyMap<string, unknown>): URLSearchParams | FormData {
  const files = [...values.values()].some((value) => value instanceof Blob);
  const form = files ? new FormData() : new URLSearchParams();
  // Fields come before files: the server reads what follows a file only after the file.
  const ordered = [...values].toSorted(([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob));
  for (const [name, value] of ordered) {
    if (value instanceof Blob && form instanceof FormData) form.append(name, value);
    else form.append(name, encode(value));
  }
  return form;
}

function encode(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
