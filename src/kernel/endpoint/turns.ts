/** Bytes that are decoded before other work runs: about 5 ms if the characters are not ASCII. */
const STRETCH_BYTES = 512 * 1024;

/** Resolves after the event loop has served other work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The last turn that was given. */
let turns = Promise.resolve();

/** Resolves after the event loop has served other work, at a turn of its own: of answers made at once, one makes a part. */
export function ownTurn(): Promise<void> {
  turns = turns.then(nextTurn);
  return turns;
}

/** Decodes bytes as UTF-8, long ones without blocking the event loop. Invalid bytes are replaced. */
export async function decodeInTurns(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (at > 0) await nextTurn();
    parts.push(decoder.decode(bytes.subarray(at, at + STRETCH_BYTES), { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
