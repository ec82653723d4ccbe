import type { PageRequest } from '#kernel/endpoint';

/** Languages of the server's pages. */
const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What the language of a page follows from. */
export type Reader = Pick<PageRequest, 'actor' | 'headers' | 'realm'>;

/**
 * The language of a page: that of the settings of somebody who is logged in, as in the client, else the one that the
 * browser asks for first among those that there are, else that of the organization, else English.
 */
export function languageOf({ actor, headers, realm }: Reader): Language {
  return (
    known(actor?.language ?? '') ?? firstAsked(headers['accept-language'] ?? '') ?? known(realm?.language ?? '') ?? 'en'
  );
}

/** The best language of an `Accept-Language` field. RFC 9110, 12.5.4. */
function firstAsked(field: string): Language | undefined {
  const asked = field.split(',').flatMap((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const language = known(tag);
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    return language !== undefined && weight > 0 ? [{ language, weight }] : [];
  });
  return asked.toSorted((a, b) => b.weight - a.weight)[0]?.language;
}

/** The language of a tag as `de-AT`. */
function known(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-');
  return LANGUAGES.find((language) => language === primary);
}
