// @ts-check
// What runs in the thread that reads mails. JavaScript, because a thread is started from a file, and the tests start it
// from the sources.
import { parentPort } from 'node:worker_threads';

const { default: PostalMime } = await import('postal-mime');

const encoder = new TextEncoder();

/** Joins the pieces of a file for the library: a `Blob` copies them twice, and all copies are there at the same time. */
class Pieces {
  #bytes = new Uint8Array(0);

  /** @param {(ArrayBuffer | Uint8Array | string)[]} pieces */
  constructor(pieces) {
    const parts = pieces.splice(0).map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece));
    this.#bytes = new Uint8Array(parts.reduce((size, { byteLength }) => size + byteLength, 0));
    let at = 0;
    for (const part of parts) {
      this.#bytes.set(part instanceof ArrayBuffer ? new Uint8Array(part) : part, at);
      at += part.byteLength;
    }
  }

  arrayBuffer() {
    return Promise.resolve(this.#bytes.buffer);
  }
}
Reflect.set(globalThis, 'Blob', Pieces);

const LINE_FEED = 10;
const DASH = 45;

/**
 * Which bound a mail is beyond: of its lines, or of its lines that may begin a part.
 * @param {import('./parsing-thread.ts').ParseRequest} request
 * @returns {'lines' | 'parts' | undefined}
 */
function tooMany({ bytes, maxLines, maxParts }) {
  let [lines, parts] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LINE_FEED) continue;
    if (++lines > maxLines) return 'lines';
    // No part begins without two dashes, and each costs memory before it is read.
    if (bytes[at + 1] === DASH && bytes[at + 2] === DASH && ++parts > maxParts) return 'parts';
  }
  return undefined;
}

/**
 * Reads a mail; undefined where it is none.
 * @param {import('./parsing-thread.ts').ParseRequest} request
 * @returns {Promise<import('./parsing-thread.ts').Parsed | undefined>}
 */
async function parsed({ bytes, limits, maxText }) {
  const mail = await PostalMime.parse(bytes, limits).catch(() => undefined);
  if (!mail) return undefined;
  const { headers, messageId, subject, from, text, html } = mail;
  const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
    filename,
    mimeType,
    content: typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content),
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

/** @param {import('./parsing-thread.ts').ParseRequest} request */
const take = (request) => {
  const beyond = tooMany(request);
  if (beyond) {
    parentPort?.postMessage({ mail: undefined, tooMany: beyond });
    return;
  }
  parsed(request).then(answer, () => answer());
};
parentPort?.on('message', take);
