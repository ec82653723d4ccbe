/** Returns the cell to which an arrow key moves; `before` above the first row, undefined for other keys. */
export function nextInGrid<Cell extends Element>(
  cells: readonly Cell[],
  from: Element | null,
  key: string,
): Cell | 'before' | undefined {
  const at = cells.findIndex((cell) => cell === from);
  const [here] = cells.slice(at < 0 ? 0 : at);
  if (!here || (at < 0 && !key.startsWith('Arrow'))) return undefined;
  if (at < 0) return here;
  switch (key) {
    case 'ArrowRight':
      return cells[at + 1];
    case 'ArrowLeft':
      return cells[at - 1] ?? 'before';
    case 'ArrowDown':
      return nearest(cells.slice(at + 1), here, (top, own) => top > own);
    case 'ArrowUp':
      return nearest(cells.slice(0, at).toReversed(), here, (top, own) => top < own) ?? 'before';
    case 'Home':
      return cells[0];
    case 'End':
      return cells.at(-1);
    default:
      return undefined;
  }
}

/** Returns the horizontally nearest cell of the next or previous row. */
function nearest<Cell extends Element>(
  cells: readonly Cell[],
  here: Cell,
  isBeyond: (top: number, own: number) => boolean,
): Cell | undefined {
  const own = here.getBoundingClientRect();
  const first = cells.find((cell) => isBeyond(cell.getBoundingClientRect().top, own.top));
  if (!first) return undefined;
  const { top } = first.getBoundingClientRect();
  const row = cells.filter((cell) => cell.getBoundingClientRect().top === top);
  const distance = (cell: Cell) => Math.abs(cell.getBoundingClientRect().left - own.left);
  return row.toSorted((a, b) => distance(a) - distance(b))[0];
}
