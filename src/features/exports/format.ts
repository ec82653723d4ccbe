import { FORMAT, NEEDED } from './columns.ts';
import type { Records } from './json.ts';

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
    if (known === undefined || typeof rows === 'string' || Symbol.asyncIterator in rows) return [[name, rows] as const];
    const whole = rows.map((row): Row => ({ ...NEEDED[name], ...row }));
    const beside = whole.flatMap((row) => {
      const own = Object.entries(row).filter(([member, value]) => !known.has(member) && value !== undefined);
      return own.length === 0 ? [] : [Object.fromEntries([['id', row['id']], ...own])];
    });
    const shown = whole.map((row) => Object.fromEntries(Object.entries(row).filter(([member]) => known.has(member))));
    return beside.length === 0 ? [[name, shown] as const] : [[name, shown] as const, [BESIDE + name, beside] as const];
  });
}
