/** What a command lists: the same fields in each row. */
type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Writes rows as a table with a head, or as JSON for programs. */
export function writeRows(rows: readonly Row[], { json }: { readonly json: boolean }, none: string): void {
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else process.stdout.write(rows.length === 0 ? `${none}\n` : tableOf(rows));
}

function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((line) => `${line.trimEnd()}\n`).join('');
}

/** A value on one line; names may hold any characters, and a terminal obeys some of them. */
function cellOf(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replaceAll(/\p{C}/gu, '\uFFFD');
}

/** A time in seconds as ISO 8601. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
