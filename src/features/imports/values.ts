import { firstFault, type Schema } from '#kernel/schema';
import { foldCase, truncate } from '#kernel/text';
import type { Entry } from './entry.ts';
import { nameIn } from './policies.ts';

interface Setting {
  readonly schema: Schema<unknown>;
  readonly default: unknown;
}

/** The settings of a row that are valid here and differ from their defaults. `asHere` gives the value in our words. */
export function settingsIn(
  row: Entry,
  settings: Readonly<Record<string, Setting>>,
  asHere: (name: string, value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const found = Object.entries(settings).flatMap(([name, { schema, default: byDefault }]) => {
    const there = nameIn(row, name);
    if (!row.has(there)) return [];
    const result = firstFault(schema, name, asHere(name, row.raw(there)));
    if (!('value' in result) || same(result.value, byDefault)) return [];
    return [[name, result.value] as const];
  });
  return Object.fromEntries(found);
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The word that a number stands for; words stay as they are. */
export function wordOf(numbers: Readonly<Record<string, number>>, value: unknown): unknown {
  return Object.entries(numbers).find(([, number]) => number === value)?.[0] ?? value;
}

/** Names in use, and the next free form of each. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken.map(foldCase));
  }

  /** Returns the name, with a number appended if it is in use. */
  free(name: string, most: number): string {
    for (let number = 1; ; number++) {
      const ending = number === 1 ? '' : ` (${number})`;
      const tried = truncate(name, most - ending.length, '') + ending;
      const key = foldCase(tried);
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return tried;
    }
  }
}
