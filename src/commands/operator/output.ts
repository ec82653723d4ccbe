/** A row of a listing; all rows have the same fields. */
type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Writes rows as a table with a header, or as JSON. */
export function writeRows(rows: readonly Row[], { json }: { readonly json: boolean }, none: string): void {
  if (json) process.stdout.write(`${jsonFor(rows, 2)}\n`);
  else process.stdout.write(rows.length === 0 ? `${none}\n` : tableOf(rows));
}

/** JSON in which characters that a terminal would interpret, or not show, are escaped: it means the same. */
export function jsonFor(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  return text.replaceAll(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
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
