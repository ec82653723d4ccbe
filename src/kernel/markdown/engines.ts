/** Draws a formula as HTML; undefined when it cannot be read. */
export type FormulaEngine = (source: string, display: boolean) => string | undefined;

/** The two large libraries, each loaded when a text first needs it. */
export interface Engines {
  readonly formulas: FormulaEngine | undefined;
}

let formulas: Promise<FormulaEngine> | undefined;

/** Loads what a text may need. */
export async function enginesFor(text: string): Promise<Engines> {
  return { formulas: text.includes('$$') || /math/i.test(text) ? await loadFormulas() : undefined };
}

/** Macros expand that often at most, and boxes grow to that many em. */
const MAX_EXPANSIONS = 100;
const MAX_SIZE_EM = 50;

function loadFormulas(): Promise<FormulaEngine> {
  formulas ??= import('katex').then(({ default: katex }) => (source, display) => {
    const options = {
      displayMode: display,
      maxExpand: MAX_EXPANSIONS,
      maxSize: MAX_SIZE_EM,
      strict: false,
      trust: false,
    };
    try {
      return flat(quietly(() => katex.renderToString(source, options)));
    } catch {
      return undefined;
    }
  });
  return formulas;
}

/**
 * A string that was put together from many is copied together when it is first read, and here not each time that it is
 * put into another: a formula may stand in a message a thousand times.
 */
function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** KaTeX warns of every character that it has no measures for: whoever writes formulas would fill the log. */
function quietly<T>(draw: () => T): T {
  const terminal = globalThis.console;
  const warn: unknown = Reflect.get(terminal, 'warn');
  Reflect.set(terminal, 'warn', () => undefined);
  try {
    return draw();
  } finally {
    Reflect.set(terminal, 'warn', warn);
  }
}
