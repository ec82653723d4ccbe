/** A stream in pieces, each of which is read as it arrives. */
interface Cutting {
  /** Whether another piece begins; waits for its first bytes. */
  readonly hasMore: () => Promise<boolean>;
  /** The next piece; to be read to its end before another one. */
  readonly piece: () => AsyncGenerator<Uint8Array>;
  /** Why the stream broke off, once it has. */
  readonly failure: Error | undefined;
}

/** Cuts a stream in pieces of `bytes` bytes, the last one shorter. A stream that breaks off ends its piece. */
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
