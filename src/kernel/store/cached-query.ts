import type { Tables } from './index.ts';
import type { ReadTx } from './transactions.ts';

/** Most answers that are kept of one query unless it says otherwise; the one unused for longest goes first. */
const MAX_ANSWERS = 5000;
/** Longest question, in UTF-16 units, whose answer is kept. */
const MAX_QUESTION = 4000;

interface Answers<R> {
  version: number;
  readonly byQuestion: Map<string, R>;
}

/**
 * A query whose answers are kept while none of `tables` changes, all that it reads from; for what every request asks and
 * few requests change. It is right in any transaction: where the database cannot tell that nothing has changed (in a
 * snapshot, in a transaction that wrote to one of the tables, on PostgreSQL outside of a batch), it is asked. Answers are shared: frozen.
 */
export function cachedQuery<A extends readonly unknown[], R>(
  tables: readonly (keyof Tables)[],
  query: (tx: ReadTx, ...args: A) => Promise<R>,
  most = MAX_ANSWERS,
): (tx: ReadTx, ...args: A) => Promise<R> {
  const known = new WeakMap<object, Answers<R>>();
  return async (tx, ...args) => {
    const { versions } = tx;
    const version = versions?.of(tables);
    if (!versions || version === undefined) return query(tx, ...args);
    const { byQuestion } = answersAt(known, versions, version);
    const question = questionOf(args);
    const answer = byQuestion.get(question);
    if (answer !== undefined) {
      if (byQuestion.size > most / 2) {
        byQuestion.delete(question);
        byQuestion.set(question, answer);
      }
      return answer;
    }
    const fresh = await query(tx, ...args);
    const isCurrent = versions.of(tables) === version && known.get(versions)?.version === version;
    if (isCurrent && question.length <= MAX_QUESTION) keep(byQuestion, question, frozen(fresh), most);
    return fresh;
  };
}

/** The answers of a version; those of an older one are gone. */
function answersAt<R>(known: WeakMap<object, Answers<R>>, versions: object, version: number): Answers<R> {
  const answers = known.get(versions);
  if (!answers) {
    const none = { version, byQuestion: new Map<string, R>() };
    known.set(versions, none);
    return none;
  }
  if (answers.version !== version) answers.byQuestion.clear();
  answers.version = version;
  return answers;
}

/** The arguments as the key of a map; most are the IDs of an organization and of something in it. */
function questionOf(args: readonly unknown[]): string {
  return args.every(isNumber) ? args.join() : JSON.stringify(args);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function keep<R>(byQuestion: Map<string, R>, question: string, answer: R, most: number): void {
  byQuestion.set(question, answer);
  const oldest = byQuestion.keys().next().value;
  if (byQuestion.size > most && oldest !== undefined) byQuestion.delete(oldest);
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
