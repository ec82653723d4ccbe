/** Bytes of text that are decoded before others are served: some 5 ms where its letters are beyond ASCII. */
const STRETCH_BYTES = 512 * 1024;

/** Resolves when others have had their turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Bytes as text, long ones without keeping others waiting. What is not UTF-8 is replaced. */
export async function decodeInTurns(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STRETCH_BYTES) {
    if (at > 0) await nextTurn();
    parts.push(decoder.decode(bytes.subarray(at, at + STRETCH_BYTES), { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
