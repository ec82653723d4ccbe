import type { ComponentChildren } from 'preact';
import { VirtualList } from '../../ui/index.ts';

/** Rows of one chunk, which are drawn together. */
const CHUNK = 20;
/** Estimated height of a chunk that was never shown, in px. */
const ESTIMATE = 400;

/** Height drawn beyond the viewport, in heights of it: rows of lists are quick to draw. */
const BEYOND = 0.5;

/** A heading, or several rows as one list. */
export interface ListChunk {
  readonly key: string;
  readonly draw: () => ComponentChildren;
}

/** Splits rows into chunks, of which only the visible ones are drawn. */
export function inChunks<Row>(
  key: string,
  rows: readonly Row[],
  draw: (row: Row) => ComponentChildren,
): readonly ListChunk[] {
  const found: ListChunk[] = [];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const own = rows.slice(from, from + CHUNK);
    found.push({ key: `${key} ${from}`, draw: () => <ul>{own.map(draw)}</ul> });
  }
  return found;
}

interface LongListProps {
  readonly label: string;
  readonly chunks: readonly ListChunk[];
  /** Content before and after the rows, which scrolls with them. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** A list that may have ten thousand rows. */
export function LongList({ label, chunks: all, before, after }: LongListProps) {
  return (
    <VirtualList
      label={label}
      role="presentation"
      items={all}
      keyOf={keyOfChunk}
      estimate={ESTIMATE}
      beyond={BEYOND}
      fromStart
      rowsClass="list-page"
      before={<div class="list-page first">{before}</div>}
      after={<div class="list-page last">{after}</div>}
      render={drawChunk}
    />
  );
}

const keyOfChunk = ({ key }: ListChunk) => key;
const drawChunk = (chunk: ListChunk) => chunk.draw();
