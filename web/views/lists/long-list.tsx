import type { ComponentChildren } from 'preact';
import { VirtualList } from '../../ui/index.ts';

/** Rows that are drawn together. */
const CHUNK = 20;
/** Height of a piece that was never shown, in px. */
const ESTIMATE = 400;

/** How much is drawn beyond the window, in heights of it: rows of lists are soon drawn. */
const BEYOND = 0.5;

/** A heading, or rows that belong together as one list. */
export interface Piece {
  readonly key: string;
  readonly draw: () => ComponentChildren;
}

/** Rows in pieces of one list each, so that only those in sight are drawn. */
export function pieces<Row>(
  key: string,
  rows: readonly Row[],
  draw: (row: Row) => ComponentChildren,
): readonly Piece[] {
  const found: Piece[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const own = rows.slice(from, from + CHUNK);
    found.push({ key: `${key} ${from}`, draw: () => <ul>{own.map(draw)}</ul> });
  }
  return found;
}

interface LongListProps {
  readonly label: string;
  readonly pieces: readonly Piece[];
  /** Stands before and after the rows and scrolls with them. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** The page of a list that may have ten thousand rows. */
export function LongList({ label, pieces: all, before, after }: LongListProps) {
  return (
    <VirtualList
      label={label}
      role="presentation"
      items={all}
      keyOf={keyOfPiece}
      estimate={ESTIMATE}
      beyond={BEYOND}
      fromStart
      rowsClass="list-page"
      before={<div class="list-page first">{before}</div>}
      after={<div class="list-page last">{after}</div>}
      render={drawPiece}
    />
  );
}

const keyOfPiece = ({ key }: Piece) => key;
const drawPiece = (piece: Piece) => piece.draw();
