import type { Page } from 'playwright-core';
import type { Entry } from '../src/kernel/text/index.ts';
import { english } from '../web/words/english/index.ts';
import { deferredEnglish } from '../web/words/english/deferred.ts';
import { german } from '../web/words/german/german.ts';
import { germanOfSettings } from '../web/words/german/german-settings.ts';

const forms = (entry: Entry) => (typeof entry === 'string' ? [entry] : [entry.one, entry.other]);
const withoutValues = (text: string) => text.replaceAll(/\{\w+\}/g, '');
const translations: Readonly<Record<string, Entry>> = { ...german, ...germanOfSettings };
/** The client's English texts with the German ones; those with the most words of their own first. */
const pairs = Object.entries<Entry>({ ...english, ...deferredEnglish })
  .flatMap(([key, entry]) => forms(entry).map((text, index) => [text, forms(translations[key] ?? '')[index] ?? '']))
  .map(([from = '', to = '']) => ({ from, to }))
  .filter(({ from }) => withoutValues(from) !== '')
  .toSorted((a, b) => withoutValues(b.from).length - withoutValues(a.from).length);

/** Makes a pattern of a text, with a group for each value. */
function patternOf(text: string, group: (name: string) => string): string {
  return text
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(${group(name)}.+)`);
}

/** Returns the German name of what has an English one; a name that the client does not give stays as it is. */
function inGerman(name: string): string {
  for (const { from, to } of pairs) {
    const match = new RegExp(`^${patternOf(from, (value) => `?<${value}>`)}$`).exec(name);
    if (match) return to.replaceAll(/\{(\w+)\}/g, (_, value: string) => match.groups?.[value] ?? '');
  }
  return name;
}

/** Returns a pattern of the German names of all that an English pattern finds. */
function patternInGerman(pattern: RegExp): RegExp {
  const found = pairs.filter(({ from }) => pattern.test(from)).map(({ to }) => patternOf(to, () => '?:'));
  return found.length === 0 ? pattern : new RegExp(`^(?:${found.join('|')})(?:: .*)?$`);
}

type HasRoles = Pick<Page, 'getByRole'>;

const hasRoles = (kind: unknown): kind is HasRoles => typeof kind === 'object' && kind !== null && 'getByRole' in kind;

/** Whether English names stand for German ones: all pages share the functions that find what has a name. */
let isGerman = false;

/** Finds what has a name by the name that is asked for, in all pages. */
export function useInEnglish(): void {
  isGerman = false;
}

/** Lets a page be used by its English names while it speaks German. */
export function useInGerman(page: Page): void {
  isGerman = true;
  for (const one of [page, page.locator('body')]) {
    const kind: unknown = Object.getPrototypeOf(one);
    if (!hasRoles(kind) || kind.getByRole.name === 'getInGerman') continue;
    const { getByRole } = kind;
    kind.getByRole = function getInGerman(this: HasRoles, role, options = {}) {
      const { name } = options;
      if (name === undefined || !isGerman) return getByRole.call(this, role, options);
      return getByRole.call(this, role, {
        ...options,
        name: typeof name === 'string' ? inGerman(name) : patternInGerman(name),
      });
    };
  }
}
