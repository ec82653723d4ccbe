import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/clock';
import { MailRefusal } from './refusal.ts';

/** Largest mail, in bytes: what the large providers send at most. */
export const MAX_MAIL_BYTES = 25 * 2 ** 20;
/** Bytes from which on a mail is large: one large mail is in memory at a time, and the next is not read on until then. */
const LARGE_BYTES = 2 ** 20;
/** Milliseconds for which a large mail waits, which is less than the silence that a mail server stands. */
const WAIT_MS = 30_000;

/** A mail in memory. */
export interface WholeMail {
  /** Owns its memory. */
  readonly bytes: Buffer;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** Reads mails into memory: any number of small ones, which a mail server bounds by its connections, and one large one. */
export class MailsInMemory {
  readonly #clock: Pick<Clock, 'after'>;
  #isTaken = false;
  readonly #line = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /**
   * Reads a mail for `work`; throws a `MailRefusal` where there is no room. The excess is read and dropped, so that the
   * sender gets the answer.
   */
  async use<T>(stream: AsyncIterable<Buffer>, work: (mail: WholeMail) => Promise<T>): Promise<T> {
    let [size, isLarge, isCrowded] = [0, false, false];
    // The pages of what is not written are not there.
    let bytes: Buffer = Buffer.allocUnsafeSlow(LARGE_BYTES);
    const hash = createHash('sha256');
    try {
      for await (const chunk of stream) {
        if (!isCrowded && !isLarge && size + chunk.length > LARGE_BYTES) {
          isLarge = await this.#takeRoom();
          isCrowded = !isLarge;
          if (isLarge) bytes = grown(bytes, size);
        }
        if (!isCrowded && size + chunk.length <= MAX_MAIL_BYTES) chunk.copy(bytes, size);
        hash.update(chunk);
        size += chunk.length;
      }
      if (size > MAX_MAIL_BYTES) throw new MailRefusal('large', 'the mail is too large');
      if (isCrowded) throw new MailRefusal('crowded', 'too many mails at a time; try again later');
      return await work({ bytes: bytes.subarray(0, size), hash: hash.digest('hex') });
    } finally {
      if (isLarge) this.#leaveRoom();
    }
  }

  /** Resolves to whether there is room for a large mail, which must be left. */
  #takeRoom(): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = this.#clock.after(WAIT_MS, () => {
        this.#line.delete(go);
        resolve(false);
      });
      const go = () => {
        timer.cancel();
        resolve(true);
      };
      this.#line.add(go);
    });
  }

  #leaveRoom(): void {
    const [next] = this.#line;
    if (!next) this.#isTaken = false;
    else {
      this.#line.delete(next);
      next();
    }
  }
}

function grown(bytes: Buffer, size: number): Buffer {
  const large = Buffer.allocUnsafeSlow(MAX_MAIL_BYTES);
  bytes.copy(large, 0, 0, size);
  return large;
}
