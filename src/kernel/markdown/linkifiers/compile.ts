import { RE2JS, RE2Set } from 're2js';
import { MAX_ALL_INSTRUCTIONS, MAX_PATTERNS, MAX_STEPS, Steps, sizeFault } from './bounds.ts';
import { expandTemplate } from './templates.ts';

/** A linkifier as it is stored. */
export interface LinkifierSource {
  readonly pattern: string;
  readonly url_template: string;
}

/** A match of a linkifier, and its address. */
export interface LinkifierMatch {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** A compiled linkifier. */
export interface Linkifier {
  /** Returns the matches in order, without overlaps, as far as the text's steps suffice. */
  matches(text: string): LinkifierMatch[];
}

/** The linkifiers of a realm, in order. */
export interface Linkifiers {
  /** Whether there is any. */
  readonly any: boolean;
  /** Returns those whose pattern matches somewhere in a text. */
  mayMatch(text: string): Linkifier[];
}

/** The compiled linkifiers of a realm. Compile them once per change of the list, because that takes time. */
export interface CompiledLinkifiers extends Linkifiers {
  /** Returns the linkifiers for one text, which share a number of steps; calls `pause` to yield if it takes long. */
  forText(text: string, pause: () => Promise<unknown>): Linkifiers | Promise<Linkifiers>;
}

// What may precede a match: the start, white space of any script, or a quote, bracket, comma, colon or `<`
// (protocol/markdown#linkifiers).
const BEFORE = '(?:^|[\\t-\\r\\x1c-\\x20\\x{85}\\p{Z}\'"(,:<])';
const AFTER = '(?:\\z|[^\\pL\\pN])';

interface Usable {
  readonly pattern: string;
  readonly size: number;
  readonly bounded: RE2JS;
  readonly template: string;
}

const NONE: Linkifiers = { any: false, mayMatch: () => [] };

/** Patterns that are combined into one program; searching for more at once would block for long. */
const TOGETHER = 16;

/** Compiles linkifiers; a stored pattern that is invalid or too large now is left out. */
export function compileLinkifiers(sources: readonly LinkifierSource[]): CompiledLinkifiers {
  const usable = firstOf(sources.flatMap((source) => compileOne(source) ?? []));
  return joined(usable, inParts(usable).map(among));
}

/** The same, calling `pause` between patterns to yield. */
export async function compileInTurns(
  sources: readonly LinkifierSource[],
  pause: () => Promise<unknown>,
): Promise<CompiledLinkifiers> {
  const compiled: Usable[] = [];
  for (const source of sources.slice(0, MAX_PATTERNS)) {
    const one = compileOne(source);
    if (!one) continue;
    compiled.push(one);
    await pause();
  }
  const usable = firstOf(compiled);
  const finders: Finder[] = [];
  for (const part of inParts(usable)) {
    finders.push(among(part));
    await pause();
  }
  return joined(usable, finders);
}

/** Returns the first patterns that fit into the limits of a realm. */
function firstOf(usable: readonly Usable[]): readonly Usable[] {
  let left = MAX_ALL_INSTRUCTIONS;
  return usable.slice(0, MAX_PATTERNS).filter(({ size }) => (left -= size) >= 0);
}

function inParts(usable: readonly Usable[]): readonly (readonly Usable[])[] {
  return Array.from({ length: Math.ceil(usable.length / TOGETHER) }, (_, part) =>
    usable.slice(part * TOGETHER, (part + 1) * TOGETHER),
  );
}

function joined(usable: readonly Usable[], finders: readonly Finder[]): CompiledLinkifiers {
  if (usable.length === 0) return { ...NONE, forText: () => NONE };
  const whole: Finder = (steps) => {
    const finding = finders.map((finder) => finder(steps));
    return (text) => finding.flatMap((find) => find(text));
  };
  const size = sum(usable);
  return {
    any: true,
    mayMatch: (text) => whole(new Steps())(text),
    forText: (text, pause) =>
      text.length * size <= MAX_STEPS ? { any: true, mayMatch: whole(new Steps()) } : largeText(usable, text, pause),
  };
}

/** Milliseconds after which a search yields. */
const TURN_MS = 10;

/**
 * Searches for one pattern at a time, to yield in between; stops when those found would take too many steps together.
 */
async function largeText(usable: readonly Usable[], text: string, pause: () => Promise<unknown>): Promise<Linkifiers> {
  const found: Usable[] = [];
  let turn = performance.now();
  for (const one of usable) {
    if (performance.now() - turn > TURN_MS) {
      await pause();
      turn = performance.now();
    }
    if (!one.bounded.matcher(text).find()) continue;
    if (text.length * sum([...found, one]) > MAX_STEPS) break;
    found.push(one);
  }
  const steps = new Steps();
  const linkifiers = found.map((one) => ({ matches: (where: string) => findMatches(one, where, steps) }));
  return { any: found.length > 0, mayMatch: () => linkifiers };
}

type Finder = (steps: Steps) => (text: string) => Linkifier[];

/** Finds which of these linkifiers match somewhere in a text. */
function among(usable: readonly Usable[]): Finder {
  const set = new RE2Set();
  for (const { pattern } of usable) set.add(pattern);
  set.compile();
  return (steps) => (text) =>
    set
      .match(text)
      .toSorted((a, b) => a - b)
      .flatMap((index) => {
        const one = usable[index];
        return one ? [{ matches: (where: string) => findMatches(one, where, steps) }] : [];
      });
}

function compileOne({ pattern, url_template }: LinkifierSource): Usable | undefined {
  try {
    if (sizeFault(pattern) !== undefined) return undefined;
    const bounded = RE2JS.compile(`${BEFORE}(${pattern})${AFTER}`);
    return { pattern, bounded, size: bounded.programSize(), template: url_template };
  } catch {
    return undefined;
  }
}

/** Half the length of the window in which a search runs; longer matches are not found. */
const WINDOW = 200;

/**
 * The character after a match can be the boundary before the next one, so the search continues at the match's own end.
 */
function findMatches({ bounded, template, size }: Usable, text: string, steps: Steps): LinkifierMatch[] {
  const found: LinkifierMatch[] = [];
  for (let from = 0; from <= text.length; ) {
    // Includes the character before, so that the start of the window does not count as the start of the text.
    const open = Math.max(0, from - 1);
    const window = text.slice(open, from + 2 * WINDOW);
    if (!steps.take(window.length * size)) break;
    const matcher = bounded.matcher(window);
    const isLast = open + window.length === text.length;
    if (!matcher.find(from - open)) {
      if (isLast) break;
      from += WINDOW;
      continue;
    }
    const [start, end] = [open + matcher.start(1), open + matcher.end(1)];
    // A match at the end of the window may continue beyond it.
    if (!isLast && end >= open + window.length) {
      from = Math.max(from + 1, start);
      continue;
    }
    const url = end > start ? expandTemplate(template, matcher.getNamedGroups()) : undefined;
    if (url !== undefined) found.push({ start, end, url });
    from = Math.max(end, from + 1);
  }
  return found;
}

function sum(usable: readonly Usable[]): number {
  return usable.reduce((total, { size }) => total + size, 0);
}
