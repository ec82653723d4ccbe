/** Groups pairs by their first member, in the order given. */
export function grouped<K, V>(pairs: readonly (readonly [K, V])[]): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** The same numbers in ascending order; lists that are sorted already, as an index returns them, are only checked. */
export function ascending<T extends number>(numbers: readonly T[]): readonly T[] {
  const isInOrder = numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) <= number);
  return isInOrder ? numbers : numbers.toSorted((a, b) => a - b);
}

/** Whether two lists have the same items in the same order. */
export function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Whether `wanted` has the same items as `known`, each once, in any order. */
export function isReordering<T>(known: readonly T[], wanted: readonly T[]): boolean {
  const items = new Set(wanted);
  return wanted.length === known.length && items.size === wanted.length && known.every((item) => items.has(item));
}

/** The items that are not among others. */
export function without<T>(items: Iterable<T>, others: Iterable<T>): T[] {
  const left = new Set(others);
  return [...items].filter((item) => !left.has(item));
}

/** Returns the items one after another; throws when there are no more. */
export function inTurn<T>(items: readonly T[]): () => T {
  const rest = items.values();
  return () => {
    const next = rest.next();
    if (next.done) throw new RangeError('there are no more items');
    return next.value;
  };
}

/**
 * Returns a function that computes a value of an object once and caches it for the object's lifetime; the object must
 * never change.
 */
export function onceFor<K extends object, T, R extends readonly unknown[]>(
  make: (of: K, ...rest: R) => T,
): (of: K, ...rest: R) => T {
  const known = new WeakMap<K, { readonly made: T }>();
  return (of, ...rest) => {
    const found = known.get(of);
    if (found) return found.made;
    const made = make(of, ...rest);
    known.set(of, { made });
    return made;
  };
}

/** The largest index of an array, above every ID; V8 keeps a table that has had it by its keys. */
const FAR = 2 ** 32 - 2;

/**
 * An empty table for a few IDs, where there are thousands of such tables: any other has room for every number below an
 * ID that is less than 1,024, some 10 KiB for a single one.
 */
export function tableOfFew<T>(): Record<string, T> {
  const table: Record<string, T> = {};
  Object.defineProperty(table, FAR, { configurable: true });
  Reflect.deleteProperty(table, FAR);
  return table;
}

/** The value that a table has under a name; undefined for names that every object has, such as `constructor`. */
export function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export { NumberSet } from './number-set.ts';
export { Slots } from './slots.ts';
