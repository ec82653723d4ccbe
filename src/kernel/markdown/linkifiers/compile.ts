import { RE2JS, RE2Set } from 're2js';
import { MAX_STEPS, Steps, sizeFault } from './bounds.ts';
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
  /** Matches from left to right that do not overlap; those that are reached within the steps of the text. */
  matches(text: string): LinkifierMatch[];
}

/** The linkifiers of a realm in their order. */
export interface Linkifiers {
  /** Whether there is one at all. */
  readonly any: boolean;
  /** Those whose pattern occurs in a text at all. */
  mayMatch(text: string): Linkifier[];
}

/** The linkifiers of a realm, compiled. Make them once per change of the list; they cost time to make. */
export interface CompiledLinkifiers extends Linkifiers {
  /** Those for one text, which have a number of steps together; `pause` lets others go first where it would take long. */
  forText(text: string, pause: () => Promise<unknown>): Linkifiers | Promise<Linkifiers>;
}

// Start, white space of any script, or a quote, bracket, comma, colon or `<` before (protocol/markdown#linkifiers).
const BEFORE = '(?:^|[\\t-\\r\\x1c-\\x20\\x{85}\\p{Z}\'"(,:<])';
const AFTER = '(?:\\z|[^\\pL\\pN])';

interface Usable {
  readonly pattern: string;
  readonly size: number;
  readonly bounded: RE2JS;
  readonly template: string;
}

const NONE: Linkifiers = { any: false, mayMatch: () => [] };

/** Makes the linkifiers of a realm; a stored pattern that no longer compiles, or is too large, is left out. */
export function compileLinkifiers(sources: readonly LinkifierSource[]): CompiledLinkifiers {
  const usable = sources.flatMap((source) => compileOne(source) ?? []);
  if (usable.length === 0) return { ...NONE, forText: () => NONE };
  const whole = among(usable);
  const size = sum(usable);
  return {
    any: true,
    mayMatch: (text) => whole(new Steps())(text),
    forText: (text, pause) =>
      text.length * size <= MAX_STEPS ? { any: true, mayMatch: whole(new Steps()) } : largeText(usable, text, pause),
  };
}

/** Milliseconds after which others get their turn. */
const TURN_MS = 10;

/** Looks for one pattern after the other, so that no turn of the event loop is long, and keeps as many as fit into one. */
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

/** Finds out which of some linkifiers occur in a text. */
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

/** Characters of which a search looks at twice as many at once; longer places are not found. */
const WINDOW = 200;

/** The character behind a match may be the boundary before the next, so the search goes on at the match's own end. */
function findMatches({ bounded, template, size }: Usable, text: string, steps: Steps): LinkifierMatch[] {
  const found: LinkifierMatch[] = [];
  for (let from = 0; from <= text.length; ) {
    // The character before is there so that nothing takes the window's edge for the beginning of the text.
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
    // What touches the window's edge may go on behind it.
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
