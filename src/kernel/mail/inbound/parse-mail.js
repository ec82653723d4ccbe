// @ts-check
// What runs in the thread that reads mails. JavaScript, because a thread is started from a file, and the tests start it
// from the sources.
import { parentPort } from 'node:worker_threads';

const { default: PostalMime } = await import('postal-mime');

/**
 * Reads a mail; undefined where it is none.
 * @param {import('./parsing-thread.ts').Wish} wish
 * @returns {Promise<import('./parsing-thread.ts').Parsed | undefined>}
 */
async function parsed({ bytes, limits, maxText }) {
  const mail = await PostalMime.parse(bytes, limits).catch(() => undefined);
  if (!mail) return undefined;
  const { headers, messageId, subject, from, text, html } = mail;
  const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
    filename,
    mimeType,
    content: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
  }));
  return {
    headers: headers.map(({ key, value }) => ({ key, value })),
    messageId,
    subject,
    from: from && { name: from.name, address: from.address },
    text: text?.slice(0, maxText),
    html: html?.slice(0, maxText),
    attachments,
  };
}

/**
 * The bytes of its files are handed over, and not copied.
 * @param {import('./parsing-thread.ts').Parsed} [mail]
 */
const answer = (mail) => {
  const buffers = new Set((mail?.attachments ?? []).map(({ content }) => content.buffer));
  parentPort?.postMessage(
    { mail },
    [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
  );
};

/** @param {import('./parsing-thread.ts').Wish} wish */
const take = (wish) => {
  parsed(wish).then(answer, () => answer());
};
parentPort?.on('message', take);
