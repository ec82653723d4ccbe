import { RE2JS, RE2Set } from 're2js';
import { expandTemplate } from './templates.ts';

/** A linkifier as the realm has it. */
export interface LinkifierSource {
  readonly pattern: string;
  readonly url_template: string;
}

/** A place where a linkifier matches, and the address made for it. */
export interface LinkifierMatch {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** One linkifier, ready to be applied. */
export interface Linkifier {
  /** Matches from left to right that do not overlap. */
  matches(text: string): LinkifierMatch[];
}

/** The linkifiers of a realm in their order. Make them once per change of the list; they cost time to make. */
export interface Linkifiers {
  /** Whether there is one at all. */
  readonly any: boolean;
  /** Those whose pattern occurs in a text at all. */
  mayMatch(text: string): Linkifier[];
}

// Start, white space of any script, or a quote, bracket, comma, colon or `<` before (contract 2.6).
const BEFORE = '(?:^|[\\t-\\r\\x1c-\\x20\\x{85}\\p{Z}\'"(,:<])';
const AFTER = '(?:\\z|[^\\pL\\pN])';

/** Makes the linkifiers of a realm; a pattern that no longer compiles is left out. */
export function compileLinkifiers(sources: readonly LinkifierSource[]): Linkifiers {
  const usable = sources.flatMap((source) => compileOne(source) ?? []);
  if (usable.length === 0) return { any: false, mayMatch: () => [] };
  const set = new RE2Set();
  for (const { pattern } of usable) set.add(pattern);
  set.compile();
  return {
    any: true,
    mayMatch: (text) =>
      set
        .match(text)
        .sort((a, b) => a - b)
        .flatMap((index) => usable[index]?.linkifier ?? []),
  };
}

function compileOne({ pattern, url_template }: LinkifierSource): { pattern: string; linkifier: Linkifier } | undefined {
  try {
    const bounded = RE2JS.compile(`${BEFORE}(${pattern})${AFTER}`);
    return { pattern, linkifier: { matches: (text) => findMatches(bounded, url_template, text) } };
  } catch {
    return undefined;
  }
}

/** The character behind a match may be the boundary before the next, so the search goes on at the match's own end. */
function findMatches(bounded: RE2JS, template: string, text: string): LinkifierMatch[] {
  const found: LinkifierMatch[] = [];
  const matcher = bounded.matcher(text);
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const start = matcher.start(1);
    const end = matcher.end(1);
    const url = end > start ? expandTemplate(template, matcher.getNamedGroups()) : undefined;
    if (url !== undefined) found.push({ start, end, url });
    from = Math.max(end, from + 1);
  }
  return found;
}
