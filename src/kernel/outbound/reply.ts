import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Deadline } from './deadline.ts';
import { OutboundFault, type OutboundReply } from './outbound.ts';

/**
 * Pieces in which a body may come: so many, and one more for so many bytes of the bound. A piece of one byte takes two
 * hundred times as much memory, and its time.
 */
const PIECES = 1_000;
const BYTES_OF_PIECE = 64;

/** Where a reply comes from and how much of it is taken. */
export interface Reading {
  readonly url: URL;
  /** Whether the reply only describes a body, as one to HEAD does. */
  readonly isBodyless: boolean;
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

/** The reply with its body as a stream that ends what the request opened when it is read or destroyed. */
export function readReply(message: IncomingMessage, reading: Reading): OutboundReply<Readable> {
  const head = headOf(message, reading);
  const body = Readable.from(bounded(message, reading), { objectMode: false });
  body.once('close', () => reading.deadline.end());
  return { ...head, body };
}

/** The reply with its body whole: without a stream, which costs more than most bodies. */
export function readWhole(message: IncomingMessage, reading: Reading): Promise<OutboundReply<Buffer>> {
  const { maxBytes } = reading;
  const head = headOf(message, reading);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes || chunks.length > PIECES + maxBytes / BYTES_OF_PIECE) reject(new OutboundFault('size'));
      else chunks.push(chunk);
    });
    message.once('error', reject);
    message.once('end', () => resolve({ ...head, body: Buffer.concat(chunks) }));
    message.once('close', () => reject(new Error('the connection ended')));
  });
}

function headOf(
  message: IncomingMessage,
  { isBodyless, maxBytes, url }: Reading,
): Omit<OutboundReply<unknown>, 'body'> {
  const headers = headersOf(message.headers);
  const encoding = headers.get('content-encoding') ?? 'identity';
  // Asked for plain bytes: a packed reply could unpack to any size.
  if (!isBodyless && encoding !== 'identity') throw new OutboundFault('encoding');
  if (!isBodyless && Number(headers.get('content-length') ?? 0) > maxBytes) throw new OutboundFault('size');
  return { status: message.statusCode ?? 0, headers, url: url.href };
}

async function* bounded(
  message: AsyncIterable<Uint8Array>,
  { maxBytes, deadline }: Reading,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of message) {
      size += chunk.length;
      if (size > maxBytes) throw new OutboundFault('size');
      yield chunk;
    }
  } catch (error) {
    throw deadline.faultOf(error);
  }
}

function headersOf({ 'set-cookie': _cookies, ...fields }: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    [value ?? ''].flat().join(', '),
  ]);
  return new Map(texts);
}
