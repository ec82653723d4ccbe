// @ts-check
// What runs in the thread that verifies SAML messages.
import { parentPort } from 'node:worker_threads';
import { verified } from './verify-message.js';

/** @param {import('./verifying-thread.ts').Task} task */
const take = (task) => {
  verified(task).then(
    (said) => parentPort?.postMessage({ said }),
    ({ name, message }) => parentPort?.postMessage({ fault: { name: String(name), message: String(message) } }),
  );
};
parentPort?.on('message', take);
