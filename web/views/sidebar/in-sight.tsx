import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows that are drawn together. */
export const SLICE = 40;
/** Height of a row that was never drawn, in px. */
const ROW = 30;
/** How far from the window rows are drawn. */
const MARGIN = '600px';

/** Rows in slices, of which those far from the window are left out. */
export function slices<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const made: (readonly T[])[] = [];
  for (let from = 0; from < rows.length; from += SLICE) made.push(rows.slice(from, from + SLICE));
  return made;
}

interface InSightProps {
  readonly count: number;
  /** Height of a row that was never drawn, in px. */
  readonly row?: number;
  /** Whether it is drawn at once. */
  readonly isFirst?: boolean;
  readonly class?: string;
  /** Whether it may be left out: one slice alone is always drawn. */
  readonly mayHide: boolean;
  readonly draw: () => ComponentChildren;
}

/** A part of a list that is drawn near the window; elsewhere its height stands for it. */
export function InSight({ count, mayHide, draw, row = ROW, isFirst = false, class: look }: InSightProps) {
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
  const isDrawn = isNear || !mayHide;
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
