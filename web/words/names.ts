import { perLocale } from './dates.ts';
import { locale } from './language.ts';

const collators = perLocale((name) => new Intl.Collator(name, { numeric: true }));

/** Orders names as people do, for sorting: "Nest 2" before "Nest 10", in the alphabet of the reader's language. */
export function compareNames(one: string, other: string): number {
  return collators(locale()).compare(one, other);
}
