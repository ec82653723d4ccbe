const waiting: (() => void)[] = [];

/**
 * Runs measurements together after all rendering and before the next paint. A measurement between two changes would
 * force a layout for each.
 */
export function onceDrawn(measure: () => void): void {
  if (waiting.push(measure) > 1) return;
  queueMicrotask(() => {
    for (const one of waiting.splice(0)) one();
  });
}
