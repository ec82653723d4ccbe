import { RE2JS, RE2JSSyntaxException } from 're2js';
import { sizeFault } from './bounds.ts';

/** A compiled pattern. */
export interface Pattern {
  /** Names of its groups, sorted. */
  readonly groups: readonly string[];
  /** Returns the groups of the first match in a text; undefined if there is none. */
  search(text: string): Readonly<Record<string, string | null>> | undefined;
}

/** Compiles a pattern in RE2 syntax; returns the engine's message if it is invalid, or the limit if it is too large. */
export function compilePattern(pattern: string): Pattern | { readonly fault: string } {
  try {
    const compiled = RE2JS.compile(pattern);
    const fault = sizeFault(pattern);
    if (fault !== undefined) return { fault };
    return {
      groups: Object.keys(compiled.namedGroups()).sort(),
      search: (text) => {
        const matcher = compiled.matcher(text);
        return matcher.find() ? matcher.getNamedGroups() : undefined;
      },
    };
  } catch (error) {
    return { fault: describe(error) };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof RE2JSSyntaxException)) return error instanceof Error ? error.message : 'invalid pattern';
  const place: unknown = error.getPattern();
  return typeof place === 'string' ? `${error.getDescription()}: ${place}` : error.getDescription();
}
