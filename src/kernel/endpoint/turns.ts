/** Bytes that are decoded before other work runs: about 5 ms if the characters are not ASCII. */
const STRETCH_BYTES = 512 * 1024;

/** Resolves after the event loop has served other work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
