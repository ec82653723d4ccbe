import { HelperThread } from '#kernel/threads';
import { lockPush } from './lock-push.js';
import type { PushKeys } from './web-push.ts';

/** A message for one subscription. */
export interface Letter extends PushKeys {
  readonly text: string;
}

/** What was encrypted, one after the other, and where each ends. */
interface Answer {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

/** Fewer messages than these are encrypted in the calling thread, which takes a millisecond or two. */
const FEW = 8;
/** Milliseconds for a batch, the start of the thread included: many times what it takes. */
const PATIENCE_MS = 10_000;

const NOTHING: Answer = { bytes: new Uint8Array(), ends: [] };

/** The thread that encrypts, for the whole process: a quarter of a millisecond for each browser, of which a message may have thousands. */
const thread = new HelperThread<readonly Letter[], Answer>({
  // Next to this file in the sources, and next to the bundle in a build.
  program: new URL('./lock-pushes.js', import.meta.url),
  isAnswer: (message): message is Answer => typeof message === 'object' && message !== null && 'ends' in message,
  nothing: NOTHING,
  patienceMs: PATIENCE_MS,
});

/** Encrypts messages, each for its subscription alone, in their order; many of them while the event loop serves others. */
export async function lockPushes(letters: readonly Letter[]): Promise<readonly Uint8Array[]> {
  const { bytes, ends } = letters.length < FEW ? NOTHING : await thread.ask(letters.map(unpooled));
  if (ends.length === letters.length) return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
  // Few of them, or a thread that could not be had.
  return letters.map((letter) => lockPush(letter, Buffer.from(letter.text)));
}

/** Bytes that share their memory with others would be copied to the thread with all of it. */
function unpooled({ p256dh, auth, text }: Letter): Letter {
  return { p256dh: new Uint8Array(p256dh), auth: new Uint8Array(auth), text };
}
