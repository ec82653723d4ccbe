import { type AnswerRoom, nextTurn, RawBody, type RequestFacts } from '#kernel/endpoint';
import { join, pack, type Packed } from '#kernel/gzip';
import type { MessageId } from '#kernel/ids';

/** What an answer says of its request, and the room that it takes while it is made. */
export type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;

/** Fields of an answer, and the forms of some of its messages: a list, or by ID. */
interface Content<F, S> {
  readonly fields: F;
  readonly show: (ids: readonly MessageId[]) => Promise<S>;
}

/**
 * Answers with messages in parts, between which other requests are served. Each is compressed by itself: 5,000 messages
 * may be hundreds of megabytes, too much to build, escape and compress as one text.
 */
export async function replyWith<F extends object, S extends object>(
  parts: readonly (readonly MessageId[])[],
  { fields, show }: Content<F, S>,
  { acceptsGzip, ignoredParameters, room }: Asked,
): Promise<RawBody | (F & { messages: S })> {
  const [all = [], ...more] = parts;
  if (more.length === 0) return { ...fields, messages: await show(all) };
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...fields, ...ignored });
  const texts = textsOf(`${head.slice(0, -1)},"messages":`, parts, show);
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
  for await (const text of texts)
    for (const piece of await make(text)) {
      room.take(piece.length);
      pieces.push(piece);
    }
  return pieces;
}

/** The last turn that was given. */
let turns = Promise.resolve();

/** Resolves after the event loop has served other work, at a turn of its own: of answers made at once, one makes a part. */
function ownTurn(): Promise<void> {
  turns = turns.then(nextTurn);
  return turns;
}

async function* textsOf(
  opening: string,
  parts: readonly (readonly MessageId[])[],
  show: (ids: readonly MessageId[]) => Promise<object>,
): AsyncGenerator<Buffer> {
  let before = opening;
  let closing = '';
  for (const part of parts) {
    await ownTurn();
    const text = JSON.stringify(await show(part));
    const content = text.slice(1, -1);
    if (closing === '') before += text.slice(0, 1);
    closing = text.slice(-1);
    if (content === '') continue;
    yield Buffer.from(`${before}${content}`);
    before = ',';
  }
  yield Buffer.from(before === ',' ? `${closing}}` : `${before}${closing}}`);
}
