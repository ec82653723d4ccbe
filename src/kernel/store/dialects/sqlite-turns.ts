/**
 * Milliseconds of a turn of the event loop in which statements run. SQLite answers synchronously, so without a limit all
 * statements of a transaction would block the event loop, however many they are. The one transaction that writes gets
 * more: many requests may wait for its commit.
 */
const TURN_MS = { reads: 5, writes: 20 };

type Kind = keyof typeof TURN_MS;

/** When the first statement of this turn ran. */
let begun: number | undefined;
/** Statements that wait, the next one first. */
const waiting: Readonly<Record<Kind, (() => void)[]>> = { reads: [], writes: [] };
let wasOfWrites = false;

/**
 * Returns undefined if a statement may run now, otherwise a promise for its turn. Reads run in the order of calls. A
 * write that waits has every other turn for itself, however long the reads take.
 */
export function inTurn(kind: Kind): Promise<void> | undefined {
  if (hasTime(kind) && (kind === 'writes' || waiting.reads.length === 0)) return undefined;
  return new Promise((resolve) => waiting[kind].push(resolve));
}

/**
 * Returns a promise for the next turn before a commit, if its transaction has taken longer than a turn: what commits so
 * much takes as long as many statements.
 */
export function turnToCommit(transactionBegun: number): Promise<void> | undefined {
  if (performance.now() - transactionBegun < TURN_MS.writes) return undefined;
  return new Promise((resolve) => setImmediate(resolve));
}

function hasTime(kind: Kind): boolean {
  if (begun === undefined) {
    begun = performance.now();
    setImmediate(() => void runTurn());
  }
  return performance.now() - begun < TURN_MS[kind];
}

async function runTurn(): Promise<void> {
  begun = undefined;
  wasOfWrites = waiting.writes.length > 0 && !wasOfWrites;
  if (!wasOfWrites) await runWaiting('reads');
  await runWaiting('writes');
}

/** Runs waiting statements one after the other, while the turn has time. */
async function runWaiting(kind: Kind): Promise<void> {
  while (waiting[kind].length > 0 && hasTime(kind)) {
    waiting[kind].shift()?.();
    // The statement runs as the next microtask.
    await Promise.resolve();
  }
}
