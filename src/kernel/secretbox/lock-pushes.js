// @ts-check
// What runs in the thread that encrypts notifications for browsers.
import { parentPort } from 'node:worker_threads';
import { lockPush } from './lock-push.js';

/** @param {readonly import('./locking-thread.ts').Letter[]} letters */
const take = (letters) => {
  const bodies = letters.map(({ p256dh, auth, text }) => lockPush({ p256dh, auth }, Buffer.from(text)));
  // One buffer for all, that is handed over and not copied.
  const bytes = new Uint8Array(bodies.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = bodies.map((body) => {
    bytes.set(body, end);
    return (end += body.length);
  });
  parentPort?.postMessage({ bytes, ends }, [bytes.buffer]);
};
parentPort?.on('message', take);
