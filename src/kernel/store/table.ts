import type { ColumnType, Generated, Selectable } from 'kysely';

type Kind = 'id' | 'int' | 'real' | 'text' | 'bool' | 'json';

/** A column: its kind, whether it may be null, and its TypeScript type (`T`, absent at run time). */
export interface Column<T> {
  readonly kind: Kind;
  readonly nullable: boolean;
  readonly type?: T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A table, declared by the slice that owns it. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** The column with the person's ID, if a person's data export contains these rows. */
  readonly handedOutBy?: string;
}

type TypeOf<C> = C extends Column<infer T> ? T : never;
/** The row type for queries. */
export type RowOf<T extends Table> = { [K in keyof T['columns']]: TypeOf<T['columns'][K]> };
/** The type of a row that was read. */
export type SelectOf<T extends Table> = Selectable<RowOf<T>>;

const make = <T>(kind: Kind, nullable = false): Column<T> => ({ kind, nullable });

/** Kinds of columns. `json` is written as text (`JSON.stringify`) and read as a value. */
export const col = {
  /** Primary key that the database generates, ascending and never reused. */
  id: <T extends number>(): Column<Generated<T>> => make('id'),
  ref: <T extends number>(): Column<T> => make('int'),
  refOrNull: <T extends number>(): Column<T | null> => make('int', true),
  int: (): Column<number> => make('int'),
  intOrNull: (): Column<number | null> => make('int', true),
  real: (): Column<number> => make('real'),
  realOrNull: (): Column<number | null> => make('real', true),
  text: <T extends string = string>(): Column<T> => make('text'),
  textOrNull: <T extends string = string>(): Column<T | null> => make('text', true),
  bool: (): Column<boolean> => make('bool'),
  boolOrNull: (): Column<boolean | null> => make('bool', true),
  json: <T>(): Column<ColumnType<T, string, string>> => make('json'),
  jsonOrNull: <T>(): Column<ColumnType<T | null, string | null, string | null>> => make('json', true),
} as const;

const declared = new Map<string, Table>();
const kinds = new Map<string, Kind>();

/**
 * Declares a table. Columns with the same name must have the same codec in the whole schema, because values are decoded
 * by name.
 */
export function table<const C extends Columns>(
  name: string,
  columns: C,
  options: { readonly handedOutBy?: keyof C & string } = {},
): Table<C> {
  for (const [column, { kind }] of Object.entries(columns)) {
    const coded = codecKind(kind);
    const known = kinds.get(column);
    if (known !== undefined && codecKind(known) !== coded)
      throw new Error(`column ${name}.${column} is ${kind}, elsewhere ${known}`);
    kinds.set(column, kind);
  }
  const declaration = { name, columns, ...options };
  declared.set(name, declaration);
  return declaration;
}

/** All declared tables. */
export function tables(): readonly Table[] {
  return [...declared.values()];
}

/** How values of a column are decoded: not at all, from 0 and 1, or from JSON. */
export type Codec = 'plain' | 'bool' | 'json';

function codecKind(kind: Kind): Codec {
  return kind === 'bool' || kind === 'json' ? kind : 'plain';
}

/** Returns the codec of a column by its name. */
export function codecOf(column: string): Codec {
  return codecKind(kinds.get(column) ?? 'text');
}
