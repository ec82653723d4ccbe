import type { ComponentChildren } from 'preact';
import { InSight, SLICE, slices } from '../sidebar/in-sight.tsx';

/** Estimated height of a row that was never drawn, in px. */
const ROW = 49;

interface LongRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => number;
  readonly draw: (row: Row) => ComponentChildren;
  readonly class?: string;
}

/** Rows of settings that may be ten thousand, as consecutive lists of which only those near the viewport are drawn. */
export function LongRows<Row>({ rows, keyOf, draw, class: look = '' }: LongRowsProps<Row>) {
  return slices(rows).map((own, index) => (
    <InSight
      key={own[0] && keyOf(own[0])}
      class={`rows ${look}`.trimEnd()}
      count={own.length}
      row={ROW}
      isFirst={index === 0}
      mayHide={rows.length > SLICE}
      draw={() => own.map(draw)}
    />
  ));
}
