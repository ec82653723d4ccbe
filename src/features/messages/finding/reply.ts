import { RawBody, type RequestFacts } from '#kernel/endpoint';
import { join, pack } from '#kernel/gzip';
import type { MessageId } from '#kernel/ids';
import { inChunks } from '#kernel/store';
import type { WireMessage } from '../wire.ts';

/** Messages per part of a large answer. */
const PART = 250;

type Show = (ids: readonly MessageId[]) => Promise<WireMessage[]>;

/**
 * Answers with messages. A large answer is built in parts, between which other requests are served, and compressed part
 * by part: 5,000 messages may be a hundred megabytes, too much to build, escape and compress as one text.
 */
export async function replyWith<F extends object>(
  fields: F,
  ids: readonly MessageId[],
  show: Show,
  { acceptsGzip, ignoredParameters }: Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters'>,
): Promise<RawBody | (F & { messages: WireMessage[] })> {
  if (ids.length <= PART) return { ...fields, messages: await show(ids) };
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...fields, ...ignored });
  const texts = partsOf(`${head.slice(0, -1)},"messages":[`, ids, show);
  if (!acceptsGzip) return new RawBody(Buffer.concat(await gathered(texts, (text) => text)));
  return new RawBody(Buffer.concat(join(await gathered(texts, pack))), 'gzip');
}

async function gathered<T>(texts: AsyncIterable<Buffer>, make: (text: Buffer) => T | Promise<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const text of texts) parts.push(await make(text));
  return parts;
}

async function* partsOf(opening: string, ids: readonly MessageId[], show: Show): AsyncGenerator<Buffer> {
  yield Buffer.from(opening);
  let comma = '';
  for (const some of inChunks(ids, PART)) {
    const text = JSON.stringify(await show(some)).slice(1, -1);
    if (text === '') continue;
    yield Buffer.from(`${comma}${text}`);
    comma = ',';
    await new Promise(setImmediate);
  }
  yield Buffer.from(']}');
}
