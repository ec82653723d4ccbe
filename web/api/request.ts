import type { Method } from './types.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Where a call goes and what it carries. */
export interface Prepared {
  readonly url: string;
  readonly body: URLSearchParams | FormData | undefined;
}

/** Names of a path come out of the parameters; the rest is the query of a GET and the form of everything else. */
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

/** Texts travel as they are, everything else as JSON; a file makes the form one of several parts. */
function formOf(values: ReadonlyMap<string, unknown>): URLSearchParams | FormData {
  const files = [...values.values()].some((value) => value instanceof Blob);
  const form = files ? new FormData() : new URLSearchParams();
  // Fields stand before files: what follows a file is read only after it.
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
