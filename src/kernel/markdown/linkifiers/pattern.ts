import { RE2JS, RE2JSSyntaxException } from 're2js';
import { sizeFault } from './bounds.ts';

/** A pattern that compiled. */
export interface Pattern {
  /** Names of its groups, sorted. */
  readonly groups: readonly string[];
  /** The groups of the first place in a text where it matches; undefined when it matches nowhere. */
  search(text: string): Readonly<Record<string, string | null>> | undefined;
}

/** Compiles a pattern in RE2 syntax; for a faulty one gives what the engine says, for a large one its bound. */
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
