import { join, pack, type Packed } from '#kernel/gzip';
import type { RequestFacts } from './endpoint.ts';
import { type AnswerRoom, RawBody } from './reply.ts';

/**
 * Answers with JSON text that is made in parts, each compressed by itself: a whole answer may be hundreds of megabytes, too
 * much to build, escape and compress as one text.
 */
export async function answerInParts(
  texts: AsyncIterable<Buffer>,
  { acceptsGzip, room }: Pick<RequestFacts, 'acceptsGzip' | 'room'>,
): Promise<RawBody> {
  if (!acceptsGzip) return new RawBody(await gathered(texts, room, (text) => [text]));
  const packed: Packed[] = [];
  await gathered(texts, room, async (text) => {
    const piece = await pack(text);
    packed.push(piece);
    return piece.deflated;
  });
  return new RawBody(join(packed), 'gzip');
}

/** Makes the pieces of an answer, and takes room for each before the next is made. */
async function gathered(
  texts: AsyncIterable<Buffer>,
  room: AnswerRoom,
  make: (text: Buffer) => readonly Buffer[] | Promise<readonly Buffer[]>,
): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  room.begin();
  for await (const text of texts)
    for (const piece of await make(text)) {
      room.take(piece.length);
      pieces.push(piece);
    }
  return pieces;
}
