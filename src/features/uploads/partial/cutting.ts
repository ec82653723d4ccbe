/** A stream that is split into pieces, each of which is read as it arrives. */
interface Cutting {
  /** Whether there is another piece; waits for its first bytes. */
  readonly hasMore: () => Promise<boolean>;
  /** The next piece, which must be read to its end before the one after. */
  readonly piece: () => AsyncGenerator<Uint8Array>;
  /** The error with which the stream ended, if it has. */
  readonly failure: Error | undefined;
}

/** Splits a stream into pieces of `bytes` bytes; the last one is shorter. An error of the stream ends its piece. */
export function cutting(stream: AsyncIterable<Uint8Array>, bytes: number): Cutting {
  const chunks = stream[Symbol.asyncIterator]();
  let held: Uint8Array | undefined;
  let failure: Error | undefined;
  const next = async (): Promise<Uint8Array | undefined> => {
    while (held === undefined || held.length === 0) {
      try {
        const step = await chunks.next();
        if (step.done === true) return undefined;
        held = step.value;
      } catch (error) {
        failure = error instanceof Error ? error : new Error('the stream broke off', { cause: error });
        return undefined;
      }
    }
    return held;
  };
  return {
    hasMore: async () => failure === undefined && (await next()) !== undefined,
    async *piece() {
      for (let left = bytes; left > 0; ) {
        const chunk = await next();
        if (!chunk) return;
        const part = chunk.subarray(0, left);
        held = chunk.subarray(part.length);
        left -= part.length;
        yield part;
      }
    },
    get failure() {
      return failure;
    },
  };
}
