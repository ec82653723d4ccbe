/** Columns of one level of a list. */
const LEVEL = 2;

/** Number of spaces a line begins with. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent++;
  return indent;
}

/** Levels of indentation of a line: 2 spaces each. */
export function levelOf(line: string): number {
  return Math.floor(indentOf(line) / LEVEL);
}

/** Takes `levels` of indentation from each line; lines with less keep what they have. */
export function detab(lines: readonly string[], levels: number): string[] {
  const margin = ' '.repeat(levels * LEVEL);
  return lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line));
}
