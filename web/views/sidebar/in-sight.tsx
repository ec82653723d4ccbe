import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Number of rows that are drawn together. */
export const SLICE = 40;
/** Estimated height of a row that was never drawn, in px. */
const ROW = 30;
/** Distance from the viewport within which rows are drawn. */
const MARGIN = '600px';

/** Splits rows into slices, of which those far from the viewport are not drawn. */
export function slices<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const made: (readonly T[])[] = [];
  for (let from = 0; from < rows.length; from += SLICE) made.push(rows.slice(from, from + SLICE));
  return made;
}

interface InSightProps {
  readonly count: number;
  /** Estimated height of a row that was never drawn, in px. */
  readonly row?: number;
  /** Whether it is drawn on the first render. */
  readonly isFirst?: boolean;
  readonly class?: string;
  /** Whether it may be left out; the only slice of a list is always drawn. */
  readonly mayHide: boolean;
  /** Whether it must be drawn wherever it is, because it contains the open row. */
  readonly hasOpenRow?: () => boolean;
  readonly draw: () => ComponentChildren;
}

/** A slice of a list, drawn near the viewport; elsewhere an empty space of its height replaces it. */
export function InSight({ count, mayHide, draw, row = ROW, isFirst = false, hasOpenRow, class: look }: InSightProps) {
  const list = useRef<HTMLUListElement>(null);
  const height = useRef(count * row);
  const [isNear, setNear] = useState(isFirst);
  useLayoutEffect(() => {
    const element = list.current;
    if (!mayHide || !element) return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        const isThere = entry?.isIntersecting === true || element.contains(document.activeElement);
        if (!isThere && element.childElementCount > 0) height.current = element.offsetHeight;
        setNear(isThere);
      },
      { root: scrollerOf(element), rootMargin: MARGIN },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [mayHide]);
  const mustShow = useComputed(() => hasOpenRow?.() ?? false).value;
  const isDrawn = isNear || mustShow || !mayHide;
  return (
    <ul ref={list} class={look} style={isDrawn ? undefined : { height: `${height.current}px` }}>
      {isDrawn && draw()}
    </ul>
  );
}

function scrollerOf(element: Element): Element | null {
  const above = element.parentElement;
  return above === null || getComputedStyle(above).overflowY !== 'visible' ? above : scrollerOf(above);
}
