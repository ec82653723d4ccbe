const waiting: (() => void)[] = [];

/**
 * Asks for sizes once all that is being drawn stands in the page, before it is painted. To ask between two changes makes the browser
 * lay out the page for each of them.
 */
export function onceDrawn(measure: () => void): void {
  if (waiting.push(measure) > 1) return;
  queueMicrotask(() => {
    for (const one of waiting.splice(0)) one();
  });
}
