import { inParts } from '#kernel/store';
import { FORMAT, NEEDED } from './columns.ts';
import { isList, type Records } from './json.ts';

/** Prefix of Roost's own tables, which hold by ID what a table of the format has no members for. */
export const OWN_TABLE_PREFIX = 'roost_';

type Row = Readonly<Record<string, unknown>>;
type Table = readonly [name: string, rows: Records | string];

/** Rows that are fitted before other work runs. */
const AT_ONCE = 250;

/**
 * Fits tables to the format. Other servers would refuse a row with unknown members: these members move to a table of
 * Roost's own, which other servers ignore. Tables that come in pages have no such members. See
 * protocol/organizations#export-format.
 */
export async function inFormat(tables: readonly Table[]): Promise<readonly Table[]> {
  const fitted: Table[] = [];
  for (const table of tables) fitted.push(...(await fit(table)));
  return fitted;
}

async function fit([name, rows]: Table): Promise<readonly Table[]> {
  const known = FORMAT.get(name);
  if (known === undefined || typeof rows === 'string' || !isList(rows)) return [[name, rows]];
  const [shown, beside]: [Row[], Row[]] = [[], []];
  await inParts(rows, AT_ONCE, async (some) => {
    for (const row of some) {
      const [theirs, own] = split({ ...NEEDED[name], ...row }, known);
      shown.push(theirs);
      if (own) beside.push(own);
    }
  });
  return beside.length === 0
    ? [[name, shown]]
    : [
        [name, shown],
        [OWN_TABLE_PREFIX + name, beside],
      ];
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
