// @ts-check
// What runs in the processes of `HelperProcess`. JavaScript, because they are started from a file, and the tests start them
// from the sources.
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Leaves the processor to the server where both want it, and is a quarter as important then. */
const NICE = 5;
/** Where memory is short, the system ends this process and not the server. */
const FIRST_TO_END = '500';

/**
 * Answers each request by its function, which gets the bytes that were sent last, too; an error becomes `{ fault }`, its
 * message.
 * @param {(request: any, bytes: Uint8Array) => Promise<object>} answer
 */
export function answerRequests(answer) {
  yieldToServer();
  let [bytes, at] = [new Uint8Array(0), 0];
  process.on('message', (message) => {
    if (typeof message === 'number') [bytes, at] = [new Uint8Array(message), 0];
    else if (message instanceof Uint8Array) {
      bytes.set(message, at);
      at += message.length;
    } else {
      void answer(message, bytes)
        .catch((/** @type {unknown} */ error) => ({ fault: error instanceof Error ? error.message : '' }))
        .then((answered) => process.send?.(answered));
    }
  });
  // The server is gone; an orderly end would wait for the library.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** Where the system has neither, or does not allow it, there is nothing to be done. */
function yieldToServer() {
  for (const step of [() => setPriority(NICE), () => writeFileSync('/proc/self/oom_score_adj', FIRST_TO_END)]) {
    try {
      step();
    } catch {
      // As before.
    }
  }
}
