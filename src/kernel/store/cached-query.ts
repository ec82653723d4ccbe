import type { Tables } from './index.ts';
import type { ReadTx, Version, Versions } from './transactions.ts';

/** Default for the most cached results of one query; the least recently used is dropped first. */
const MAX_ANSWERS = 5000;
/** Longest key, in UTF-16 units, whose result is cached. */
const MAX_KEY = 4000;

/** A table; with `:changed`, only updates and deletions of its rows. */
type Watched = keyof Tables | `${keyof Tables}:changed`;

interface Options<R> {
  /** Most cached results. */
  readonly most?: number;
  /** Whether a result is cached; by default always. For results that only some changes of a table invalidate. */
  readonly isLasting?: (answer: R) => boolean;
}

const cached = new Set<string>();

/** Returns all tables that cached queries depend on. */
export function cachedTables(): ReadonlySet<string> {
  return cached;
}

/** A cached result, and its number in the order of caching. */
interface Cached<R> {
  readonly answer: Promise<R>;
  readonly turn: number;
}

interface Answers<R> {
  version: number;
  readonly byKey: Map<string, Cached<R>>;
}

let turns = 0;

/** How many results this process has cached; later ones have higher numbers. */
export function cachedAnswers(): number {
  return turns;
}

/**
 * A query whose results are cached until one of `tables` changes, which must be all that it reads; for what every
 * request needs and few requests change. It is right in any transaction: it runs if changes cannot be excluded (in a
 * snapshot, in a transaction that wrote to one of the tables, on PostgreSQL in one outside of a batch). Transactions of
 * an organization get only results of transactions of the same one. Results are shared, and frozen. A table with
 * `:changed` counts only updates and deletions, not inserts.
 */
export function cachedQuery<A extends readonly unknown[], R, T extends ReadTx = ReadTx>(
  tables: readonly Watched[],
  query: (tx: T, ...args: A) => Promise<R>,
  { most = MAX_ANSWERS, isLasting }: Options<R> = {},
): (tx: T, ...args: A) => Promise<R> {
  for (const table of tables) cached.add(table);
  const answersOf = new WeakMap<object, Answers<R>>();
  const ask = (tx: T, versions: Versions, args: A): Promise<R> => {
    const version = versions.at(tables);
    if (!version) return query(tx, ...args);
    const { byKey } = answersAt(answersOf, version);
    const key = keyOf(tx, args);
    const known = byKey.get(key);
    if (!known || known.turn >= (version.before ?? Infinity)) return askAnew(tx, versions, args, { version, key });
    if (byKey.size > most / 2) {
      byKey.delete(key);
      byKey.set(key, known);
    }
    return known.answer;
  };
  const askAnew = async (tx: T, versions: Versions, args: A, { version, key }: Asked): Promise<R> => {
    const fresh = await query(tx, ...args);
    const isCached = key.length <= MAX_KEY && isLasting?.(fresh) !== false;
    if (isCached && isCurrent(versions.at(tables), version, answersOf))
      store(answersAt(answersOf, version).byKey, key, frozen(fresh), most);
    return fresh;
  };
  return (tx, ...args) => {
    const { versions } = tx;
    if (!versions) return query(tx, ...args);
    const looking = versions.look?.();
    return looking ? looking.then(() => ask(tx, versions, args)) : ask(tx, versions, args);
  };
}

interface Asked {
  readonly version: Version;
  readonly key: string;
}

/** Returns the results cached at a version, and drops those of older versions. */
function answersAt<R>(known: WeakMap<object, Answers<R>>, { holder, number }: Version): Answers<R> {
  const answers = known.get(holder);
  if (!answers) {
    const none = { version: number, byKey: new Map<string, Cached<R>>() };
    known.set(holder, none);
    return none;
  }
  if (answers.version !== number) answers.byKey.clear();
  answers.version = number;
  return answers;
}

/** Whether neither the tables nor the cached results have changed since a version was read. */
function isCurrent<R>(
  now: Version | undefined,
  { holder, number }: Version,
  known: WeakMap<object, Answers<R>>,
): boolean {
  return now?.holder === holder && now.number === number && known.get(holder)?.version === number;
}

/** The key of a call: the organization and the arguments, most of which are IDs. */
function keyOf(tx: ReadTx & { readonly realmId?: number }, args: readonly unknown[]): string {
  let key = `${tx.realmId ?? ''}`;
  for (const argument of args) key += ` ${typeof argument === 'number' ? argument : JSON.stringify(argument)}`;
  return key;
}

function store<R>(byKey: Map<string, Cached<R>>, key: string, answer: R, most: number): void {
  byKey.set(key, { answer: Promise.resolve(answer), turn: turns++ });
  const oldest = byKey.keys().next().value;
  if (byKey.size > most && oldest !== undefined) byKey.delete(oldest);
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) value.forEach(frozen);
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
