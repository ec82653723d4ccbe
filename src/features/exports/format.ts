import { FORMAT, NEEDED } from './columns.ts';
import { isList, type Records } from './json.ts';

/** Tables of our own stand under this name: what a table of the format has no members for, by ID. */
export const BESIDE = 'roost_';

type Row = Readonly<Record<string, unknown>>;
type Table = readonly [name: string, rows: Records | string];

/**
 * Tables as the format has them. Members that it does not know would make other servers refuse the row: they go to a table
 * beside, which others leave alone. See protocol/organizations#export-format.
 */
export function inFormat(tables: readonly Table[]): readonly Table[] {
  return tables.flatMap(([name, rows]) => {
    const known = FORMAT.get(name);
    if (known === undefined || typeof rows === 'string' || !isList(rows)) return [[name, rows] as const];
    const [shown, beside]: [Row[], Row[]] = [[], []];
    for (const row of rows) {
      const [theirs, own] = split({ ...NEEDED[name], ...row }, known);
      shown.push(theirs);
      if (own) beside.push(own);
    }
    return beside.length === 0 ? [[name, shown] as const] : [[name, shown] as const, [BESIDE + name, beside] as const];
  });
}

/** What of a row the format knows, and what it does not: with the ID, or undefined for nothing. */
function split(row: Row, known: ReadonlySet<string>): readonly [theirs: Row, own: Row | undefined] {
  const theirs: Record<string, unknown> = {};
  let own: Record<string, unknown> | undefined;
  for (const [member, value] of Object.entries(row))
    if (known.has(member)) theirs[member] = value;
    else if (value !== undefined) (own ??= { id: row['id'] })[member] = value;
  return [theirs, own];
}
