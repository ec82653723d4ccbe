import { MailRefusal } from './refusal.ts';

/** Largest mail, in bytes: what the large providers send at most. */
export const MAX_MAIL_BYTES = 25 * 2 ** 20;
/** Bytes of all mails that are in memory at a time: two of the largest. */
const MAX_HELD_BYTES = 2 * MAX_MAIL_BYTES;

/** Reads mails into memory, with one bound for all of them; each stays only while it is used. */
export class MailsInMemory {
  #held = 0;

  /**
   * Reads a mail for `work`; throws a `MailRefusal` where there is no room. The excess is read and dropped, so that the
   * sender gets the answer.
   */
  async use<T>(stream: AsyncIterable<Buffer>, work: (bytes: Buffer) => Promise<T>): Promise<T> {
    const chunks: Buffer[] = [];
    let [size, own, isCrowded] = [0, 0, false];
    try {
      for await (const chunk of stream) {
        size += chunk.length;
        isCrowded ||= this.#held + chunk.length > MAX_HELD_BYTES;
        const isTaken = size <= MAX_MAIL_BYTES && !isCrowded;
        if (isTaken) chunks.push(chunk);
        else chunks.length = 0;
        const change = isTaken ? chunk.length : -own;
        own += change;
        this.#held += change;
      }
      if (size > MAX_MAIL_BYTES) throw new MailRefusal('large', 'the mail is too large');
      if (isCrowded) throw new MailRefusal('crowded', 'too many mails at a time; try again later');
      return await work(Buffer.concat(chunks.splice(0)));
    } finally {
      this.#held -= own;
    }
  }
}
