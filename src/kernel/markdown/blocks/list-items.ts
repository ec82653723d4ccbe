/** The two kinds of list. */
export type ListKind = 'ol' | 'ul';

/** A piece of a list's block: a new item, or indented lines that belong inside the item before them. */
export interface Piece {
  readonly indented: boolean;
  readonly lines: string[];
}

const items: Readonly<Record<ListKind, RegExp>> = { ol: /^ ?(\d+)\. +(.*)$/s, ul: /^ ?([*+-]) +(.*)$/s };
const nestedItem = /^ {2,3}(?:\d+\.|[*+-]) +/;

/** The mark and the text of a line that starts an item of a kind, or undefined. */
export function parseItem(kind: ListKind, line: string): { mark: string; text: string } | undefined {
  const start = line.charCodeAt(0) === 32 ? line.charCodeAt(1) : line.charCodeAt(0);
  if (kind === 'ol' ? start < 48 || start > 57 : start !== 42 && start !== 43 && start !== 45) return undefined;
  const match = items[kind].exec(line);
  return match ? { mark: match[1] ?? '', text: match[2] ?? '' } : undefined;
}

/** Groups the lines of a block that begins with an item (contract 1.4, items of one block). */
export function groupItems(kind: ListKind, lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (const line of lines) {
    const item = parseItem(kind, line);
    const last = pieces.at(-1);
    if (item) pieces.push({ indented: false, lines: [item.text] });
    else if (line.startsWith('  ') && nestedItem.test(line) && !last?.indented)
      pieces.push({ indented: true, lines: [line] });
    else last?.lines.push(line);
  }
  return pieces;
}
