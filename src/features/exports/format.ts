import { FORMAT, NEEDED } from './columns.ts';
import { isList, type Records } from './json.ts';

/** Prefix of Roost's own tables, which hold by ID what a table of the format has no members for. */
export const OWN_TABLE_PREFIX = 'roost_';

type Row = Readonly<Record<string, unknown>>;
type Table = readonly [name: string, rows: Records | string];

/**
 * Fits tables to the format. Other servers would refuse a row with unknown members: these members move to a table of
 * Roost's own, which other servers ignore. See protocol/organizations#export-format.
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
    return beside.length === 0
      ? [[name, shown] as const]
      : [[name, shown] as const, [OWN_TABLE_PREFIX + name, beside] as const];
  });
}

/**
 * Splits a row into what the format knows and what it does not: the latter with the ID, or undefined if there is
 * nothing.
 */
function split(row: Row, known: ReadonlySet<string>): readonly [theirs: Row, own: Row | undefined] {
  const theirs: Record<string, unknown> = {};
  let own: Record<string, unknown> | undefined;
  for (const [member, value] of Object.entries(row))
    if (known.has(member)) theirs[member] = value;
    else if (value !== undefined) (own ??= { id: row['id'] })[member] = value;
  return [theirs, own];
}
