import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows that are drawn together. */
export const SLICE = 40;
/** Height of a row that was never drawn, in px. */
const ROW = 30;
/** How far from the window rows are drawn. */
const MARGIN = '600px';

/** Rows in slices of which those far from the window are left out. */
export function slices(ids: readonly number[]): readonly (readonly number[])[] {
  const made: (readonly number[])[] = [];
  for (let from = 0; from < ids.length; from += SLICE) made.push(ids.slice(from, from + SLICE));
  return made;
}

interface InSightProps {
  readonly count: number;
  /** Whether it may be left out: one slice alone is always drawn. */
  readonly mayHide: boolean;
  readonly draw: () => ComponentChildren;
}

/** A part of a list that is drawn near the window; elsewhere its height stands for it. */
export function InSight({ count, mayHide, draw }: InSightProps) {
  const list = useRef<HTMLUListElement>(null);
  const height = useRef(count * ROW);
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (!mayHide || !element) return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        const isThere = entry?.isIntersecting === true || element.contains(document.activeElement);
        if (!isThere && element.childElementCount > 0) height.current = element.offsetHeight;
        setNear(isThere);
      },
      { root: element.closest('.side-scroll'), rootMargin: MARGIN },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [mayHide]);
  const isDrawn = isNear || !mayHide;
  return (
    <ul ref={list} style={isDrawn ? undefined : { height: `${height.current}px` }}>
      {isDrawn && draw()}
    </ul>
  );
}
