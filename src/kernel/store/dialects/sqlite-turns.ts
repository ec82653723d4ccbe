/**
 * Milliseconds for which statements run before yielding to other work. SQLite answers synchronously, so without this
 * all statements of a transaction would block the event loop, however many they are.
 */
const TURN_MS = 20;

let begun: number | undefined;

/**
 * Returns undefined, or a promise for the next turn of the event loop if statements in this one have taken long enough.
 */
export function inTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (begun === undefined) {
    begun = now;
    setImmediate(() => (begun = undefined));
  }
  return now - begun < TURN_MS ? undefined : new Promise((resolve) => setImmediate(resolve));
}
