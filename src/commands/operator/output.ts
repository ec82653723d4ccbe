/** A row of a listing; all rows have the same fields. */
type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Writes rows as a table with a header, or as JSON. */
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

/** A value on one line, without control characters, which a terminal would interpret. */
function cellOf(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replaceAll(/\p{C}/gu, '\uFFFD');
}

/** Formats a time in seconds as ISO 8601. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
