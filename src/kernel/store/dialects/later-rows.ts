import type { Table } from '../table.ts';
import type { Later } from '../transactions.ts';
import { storable } from './codec.ts';
import type { Execute } from './session.ts';
import type { Unanswered } from './unanswered.ts';
import { ARRAYS } from './whole-tables.ts';

interface Waiting {
  readonly rows: object[];
  readonly isNew: boolean;
  readonly table: Table;
}

/**
 * Collects the rows of writes that share a transaction, and inserts them together: before the commit, and before any
 * statement that names their table. IDs are reserved for all of these writes at once, under the lock that they share.
 */
export class LaterRows implements Later {
  readonly #execute: Execute;
  readonly #versions: { changes: number };
  readonly #waiting = new Map<string, Waiting>();
  readonly #ids = new Map<string, number[]>();
  #turn: Promise<unknown> = Promise.resolve();
  #marks: ReadonlyMap<string, number> = new Map();
  /** For how many writes IDs are reserved at once. */
  #size = 1;
  /** The tables for which IDs were reserved at the beginning. */
  #begunFor: readonly string[] = [];
  readonly #unanswered: Unanswered;

  constructor(execute: Execute, unanswered: Unanswered, versions: { changes: number }) {
    this.#execute = execute;
    this.#unanswered = unanswered;
    this.#versions = versions;
  }

  /** Begins a transaction of so many writes; reserves IDs of the named tables at once. */
  begin(size: number, tables: readonly string[]): void {
    this.end();
    this.#size = size;
    this.#begunFor = tables;
    for (const table of tables) this.#inTurn(() => this.#take(table)).catch(() => undefined);
  }

  /** Reserves IDs for writes that have joined the transaction. */
  extend(size: number): void {
    const more = size - this.#size;
    if (more <= 0) return;
    for (const table of this.#begunFor) this.#inTurn(() => this.#take(table, more)).catch(() => undefined);
    this.#size = size;
  }

  /** Ends the transaction; drops all waiting rows. */
  end(): void {
    this.#waiting.clear();
    this.#ids.clear();
    this.#turn = Promise.resolve();
  }

  /** The tables whose IDs were requested. */
  get tablesOfIds(): Iterable<string> {
    return this.#ids.keys();
  }

  newId({ name }: Table): Promise<number> {
    return this.#inTurn(async () => {
      if (!this.#ids.get(name)?.length) await this.#take(name);
      const id = this.#ids.get(name)?.shift();
      if (id === undefined) throw new Error(`no ID could be taken for ${name}`);
      return id;
    });
  }

  insert(table: Table, row: object, { isNew }: { readonly isNew: boolean }): void {
    const known = this.#waiting.get(table.name);
    if (known) known.rows.push(row);
    else this.#waiting.set(table.name, { rows: [row], isNew, table });
  }

  /** Marks the current rows. */
  mark(): void {
    this.#marks = new Map([...this.#waiting].map(([name, { rows }]) => [name, rows.length]));
  }

  /** Drops the rows added since the mark. Rows that were sent since then count as a change. */
  undo(): void {
    for (const [name, { rows }] of this.#waiting) rows.length = Math.min(rows.length, this.#marks.get(name) ?? 0);
  }

  /** Whether rows are waiting for a table that a statement names. */
  concerns(words: ReadonlySet<string>): boolean {
    for (const name of this.#waiting.keys()) if (words.has(name)) return true;
    return false;
  }

  /** Sends all waiting rows. Only rows added since the mark count as a change of the current write. */
  flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const { changes } = this.#versions;
    for (const { table, rows, isNew } of waiting) {
      if (rows.length === 0) continue;
      this.#unanswered.add(this.#send(table, rows, isNew));
    }
    const isOwn = waiting.some(({ table, rows }) => rows.length > (this.#marks.get(table.name) ?? 0));
    this.#versions.changes = changes + (isOwn ? 1 : 0);
    this.#marks = new Map();
  }

  /** Runs work in order, so that IDs are given in the order of requests. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #take(name: string, count = this.#size): Promise<void> {
    const { rows } = await this.#execute<{ id: number }>({
      sql: `select nextval('"${name}_id_seq"') as id from generate_series(1, $1)`,
      parameters: [count],
    });
    this.#ids.set(name, [...(this.#ids.get(name) ?? []), ...rows.map(({ id }) => id)]);
  }

  #send(table: Table, rows: readonly object[], isNew: boolean): Promise<unknown> {
    const given = rows[0] ?? {};
    const columns = Object.entries(table.columns).filter(([name]) => name in given);
    const names = columns.map(([name]) => `"${name}"`).join(', ');
    const lists = columns.map(([name, { kind }]) => rows.map((row) => stored(Reflect.get(row, name), kind)));
    // A single row takes half the time without arrays.
    const isOne = rows.length === 1;
    const places = columns
      .map(([, { kind }], index) => (isOne ? `$${index + 1}` : `$${index + 1}::${ARRAYS[kind]}`))
      .join(', ');
    const parameters = isOne ? lists.flat() : lists;
    const source = isOne ? `values (${places})` : `select * from unnest(${places})`;
    const leaving = isNew ? '' : ' on conflict do nothing';
    return this.#execute({
      sql: `insert into "${table.name}" (${names}) ${source}${leaving}`,
      parameters,
    });
  }
}

function stored(value: unknown, kind: keyof typeof ARRAYS): unknown {
  if (kind === 'json') return value === null || value === undefined ? null : JSON.stringify(value);
  return storable(value ?? null);
}
