/** Columns of one level of a list. */
const LEVEL = 2;

/** Number of spaces a line begins with; a caller to whom more than `most` are the same need not have all counted. */
export function indentOf(line: string, most = line.length): number {
  const end = Math.min(most, line.length);
  let indent = 0;
  while (indent < end && line.charCodeAt(indent) === 32) indent++;
  return indent;
}

/** Levels of indentation of a line: 2 spaces each. */
export function levelOf(line: string): number {
  return Math.floor(indentOf(line) / LEVEL);
}

/** Takes `levels` of indentation from each line; lines with less keep what they have. */
export function detab(lines: readonly string[], levels: number): string[] {
  return lines.map((line) => detabLine(line, levels));
}

/** The same for one line. */
export function detabLine(line: string, levels: number): string {
  const margin = levels * LEVEL;
  return indentOf(line, margin) === margin ? line.slice(margin) : line;
}
