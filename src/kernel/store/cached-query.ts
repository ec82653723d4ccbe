import type { Tables } from './index.ts';
import type { ReadTx, Version, Versions } from './transactions.ts';

/** Most cached answers of one query unless it says otherwise; the one unused for longest goes first. */
const MAX_ANSWERS = 5000;
/** Longest question, in UTF-16 units, whose answer is cached. */
const MAX_QUESTION = 4000;

/** A table, or what was read of rows that were there already. */
type Watched = keyof Tables | `${keyof Tables}:changed`;

interface Options<R> {
  /** Most cached answers. */
  readonly most?: number;
  /** Whether an answer is to be cached; default: each is. For answers that only some changes of a table can end. */
  readonly isLasting?: (answer: R) => boolean;
}

const cached = new Set<string>();

/** The tables whose answers are cached. */
export function cachedTables(): ReadonlySet<string> {
  return cached;
}

/** An answer, as later callers get it, and how many had been cached before it. */
interface Cached<R> {
  readonly answer: Promise<R>;
  readonly turn: number;
}

interface Answers<R> {
  version: number;
  readonly byQuestion: Map<string, Cached<R>>;
}

let turns = 0;

/** How many answers this process has cached: those that are cached from now on have a later turn. */
export function cachedAnswers(): number {
  return turns;
}

/**
 * A query whose answers are cached while none of `tables` changes, all that it reads from; for what every request asks and
 * few requests change. It is right in any transaction: where the database cannot tell that nothing has changed (in a
 * snapshot, in a transaction that wrote to one of the tables, on PostgreSQL in one that shares no batch), it is asked.
 * A transaction of an organization gets only what was answered to transactions of the same one. Answers are shared: frozen.
 * With `:changed` behind a table's name only what is done to rows that were there counts.
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
    const { byQuestion } = answersAt(answersOf, version);
    const question = questionOf(tx, args);
    const known = byQuestion.get(question);
    if (!known || known.turn >= (version.before ?? Infinity)) return askAnew(tx, versions, args, { version, question });
    if (byQuestion.size > most / 2) {
      byQuestion.delete(question);
      byQuestion.set(question, known);
    }
    return known.answer;
  };
  const askAnew = async (tx: T, versions: Versions, args: A, { version, question }: Asked): Promise<R> => {
    const fresh = await query(tx, ...args);
    const isCached = question.length <= MAX_QUESTION && isLasting?.(fresh) !== false;
    if (isCached && isCurrent(versions.at(tables), version, answersOf))
      store(answersAt(answersOf, version).byQuestion, question, frozen(fresh), most);
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
  readonly question: string;
}

/** The answers of a version; those of an older one are gone. */
function answersAt<R>(known: WeakMap<object, Answers<R>>, { holder, number }: Version): Answers<R> {
  const answers = known.get(holder);
  if (!answers) {
    const none = { version: number, byQuestion: new Map<string, Cached<R>>() };
    known.set(holder, none);
    return none;
  }
  if (answers.version !== number) answers.byQuestion.clear();
  answers.version = number;
  return answers;
}

/** Whether nothing has changed since a version was looked at, neither the tables nor what is cached of them. */
function isCurrent<R>(
  now: Version | undefined,
  { holder, number }: Version,
  known: WeakMap<object, Answers<R>>,
): boolean {
  return now?.holder === holder && now.number === number && known.get(holder)?.version === number;
}

/** The organization and the arguments as the key of a map; most are IDs. */
function questionOf(tx: ReadTx & { readonly realmId?: number }, args: readonly unknown[]): string {
  let question = `${tx.realmId ?? ''}`;
  for (const argument of args) question += ` ${typeof argument === 'number' ? argument : JSON.stringify(argument)}`;
  return question;
}

function store<R>(byQuestion: Map<string, Cached<R>>, question: string, answer: R, most: number): void {
  byQuestion.set(question, { answer: Promise.resolve(answer), turn: turns++ });
  const oldest = byQuestion.keys().next().value;
  if (byQuestion.size > most && oldest !== undefined) byQuestion.delete(oldest);
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) value.forEach(frozen);
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
