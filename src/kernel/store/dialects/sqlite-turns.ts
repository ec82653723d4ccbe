/**
 * Milliseconds for which statements follow one another before others get their turn. SQLite answers at once, so that all
 * statements of a transaction would be one stretch of the event loop, however many they are.
 */
const TURN_MS = 20;

let begun: number | undefined;

/** Resolves at once, or in the next turn of the event loop where the statements of this one have taken long enough. */
export function inTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (begun === undefined) {
    begun = now;
    setImmediate(() => (begun = undefined));
  }
  return now - begun < TURN_MS ? undefined : new Promise((resolve) => setImmediate(resolve));
}
