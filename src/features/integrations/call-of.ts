import { parseBounded } from '#kernel/endpoint';
import { HeaderMissing } from './faults.ts';
import type { Call, Sample } from './integration.ts';

/** Returns a sample as a call, for documentation pages and tests. */
export function callOfSample({ headers = {}, query = '' }: Sample): Call {
  const options = new URLSearchParams(query);
  const maybeHeader = (name: string) => headers[name] ?? '';
  return {
    maybeHeader,
    header: (name) => {
      if (maybeHeader(name) === '') throw new HeaderMissing(name);
      return maybeHeader(name);
    },
    option: (name) => options.get(name) ?? '',
  };
}

/** Returns the payload of a sample as it would be parsed from a request. */
export function payloadOfSample({ json, form, text }: Sample): unknown {
  if (form) {
    const parsed = parseBounded(form['payload'] ?? form['json'] ?? '');
    return parsed ? parsed.value : form;
  }
  return text === undefined ? json : { text };
}
