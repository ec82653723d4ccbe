import { randomBytes } from 'node:crypto';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

/** Random bytes, which cannot be compressed, sent repeatedly. */
const BLOCK = randomBytes(1024 * 1024);

/** A request with a body of many bytes, or without one. */
export interface Transfer {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Size of the body without `around`. */
  readonly bytes?: number;
  /** Text before and after these bytes in the body. */
  readonly around?: readonly [string, string];
  /** Bytes after which the connection is broken, without waiting for an answer. */
  readonly breakAfter?: number;
}

/** The result of a transfer. The text of a short answer is kept. */
interface Transferred {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  readonly text: string;
}

/**
 * Sends a request, its body as fast as the server accepts it, and reads the answer; undefined when it was broken off on
 * purpose.
 */
export async function transfer(wanted: Transfer): Promise<Transferred | undefined> {
  const { port, method, path, headers = {}, bytes = 0, around = ['', ''] } = wanted;
  const length = bytes + Buffer.byteLength(around.join(''));
  const sizes = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(length) };
  const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...sizes }, agent: false });
  const broken = wanted.breakAfter !== undefined;
  const answered = new Promise<IncomingMessage | undefined>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', (error) => (broken ? resolve(undefined) : reject(error)));
  });
  await sendBody(sent, around, wanted.breakAfter ?? bytes);
  if (broken) sent.destroy();
  else sent.end(around[1]);
  const answer = await answered;
  return answer && readAnswer(answer);
}

/** Makes a transfer that must succeed; returns the milliseconds. */
export async function timeTransfer(wanted: Transfer): Promise<number> {
  const started = performance.now();
  const answer = await transfer(wanted);
  if (!answer || answer.status >= 300)
    throw new Error(`${wanted.method} ${wanted.path}: ${answer?.status} ${answer?.text}`);
  return performance.now() - started;
}

async function sendBody(to: ClientRequest, [before]: readonly [string, string], bytes: number): Promise<void> {
  if (before !== '') to.write(before);
  for (let left = bytes; left > 0 && !to.destroyed; left -= BLOCK.length) {
    if (!to.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await drained(to);
  }
}

/** Resolves when a request accepts more, or is closed. */
function drained(to: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      to.off('drain', go).off('close', go);
      resolve();
    };
    to.on('drain', go).on('close', go);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<Transferred> {
  let [bytes, text] = [0, ''];
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (text.length < 1000 && bytes < 10_000) text += String(chunk);
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, text };
}
