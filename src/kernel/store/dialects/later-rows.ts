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
 * Rows of the writes that share a transaction, which go to the database together: before its commit, and before any statement
 * that names their table. IDs are taken for all of these writes at once, under the lock that they share.
 */
export class LaterRows implements Later {
  readonly #execute: Execute;
  readonly #versions: { changes: number };
  readonly #waiting = new Map<string, Waiting>();
  readonly #ids = new Map<string, number[]>();
  #turn: Promise<unknown> = Promise.resolve();
  #marks: ReadonlyMap<string, number> = new Map();
  /** For how many writes IDs are taken at once. */
  #size = 1;
  /** The tables of which IDs were taken at the beginning. */
  #begunFor: readonly string[] = [];
  readonly #unanswered: Unanswered;

  constructor(execute: Execute, unanswered: Unanswered, versions: { changes: number }) {
    this.#execute = execute;
    this.#unanswered = unanswered;
    this.#versions = versions;
  }

  /** A transaction of so many writes begins; IDs of the tables named are taken at once. */
  begin(size: number, tables: readonly string[]): void {
    this.end();
    this.#size = size;
    this.#begunFor = tables;
    for (const table of tables) this.#inTurn(() => this.#take(table)).catch(() => undefined);
  }

  /** There are so many writes, some of which came after the beginning: IDs for them are taken too. */
  extend(size: number): void {
    const more = size - this.#size;
    if (more <= 0) return;
    for (const table of this.#begunFor) this.#inTurn(() => this.#take(table, more)).catch(() => undefined);
    this.#size = size;
  }

  /** Whatever waits is forgotten: the transaction has ended. */
  end(): void {
    this.#waiting.clear();
    this.#ids.clear();
    this.#turn = Promise.resolve();
  }

  /** The tables whose IDs were asked for. */
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

  /** Remembers what waits now. */
  mark(): void {
    this.#marks = new Map([...this.#waiting].map(([name, { rows }]) => [name, rows.length]));
  }

  /** Drops what has come since the mark; what was sent since counts as a change. */
  undo(): void {
    for (const [name, { rows }] of this.#waiting) rows.length = Math.min(rows.length, this.#marks.get(name) ?? 0);
  }

  /** Whether rows wait for a table of which a statement speaks. */
  concerns(words: ReadonlySet<string>): boolean {
    for (const name of this.#waiting.keys()) if (words.has(name)) return true;
    return false;
  }

  /** Sends all that waits. What came before the mark is no change of the write since. */
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

  /** IDs are given in the order in which they are asked for. */
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
    // One row by itself is half the work without lists.
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
