import { answerInParts, ownTurn, type RawBody, type RequestFacts } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { InvalidMessage } from '../core/index.ts';

/** What an answer says of its request, and the room that it takes while it is made. */
export type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;

/** Fields of an answer, and the forms of some of its messages: a list, or by ID. */
interface Content<F, S> {
  readonly fields: F;
  readonly show: (ids: readonly MessageId[]) => Promise<S>;
  /** Messages of a list that are parts of their own, of which each is the JSON that `textsOf` makes in parts. */
  readonly heavy?: ReadonlySet<MessageId>;
  readonly textsOf?: (id: MessageId) => AsyncIterable<string>;
}

/** Answers with messages in parts, between which other requests are served. */
export async function replyWith<F extends object, S extends object>(
  parts: readonly (readonly MessageId[])[],
  content: Content<F, S>,
  asked: Asked,
): Promise<RawBody | (F & { messages: S })> {
  const [all = [], ...more] = parts;
  const { fields, show, heavy } = content;
  if (more.length === 0 && !all.some((id) => heavy?.has(id))) return { ...fields, messages: await show(all) };
  return answerInParts(textsOfAll(`${openingOf(fields, asked)},"messages":`, parts, content), asked);
}

/** Answers with fields and one message, whose JSON comes in parts. */
export function replyWithLaden(fields: object, texts: AsyncIterable<string>, asked: Asked): Promise<RawBody> {
  return answerInParts(textsOfOne(`${openingOf(fields, asked)},"message":`, texts), asked);
}

/** The beginning of an answer as JSON, without its end. */
function openingOf(fields: object, { ignoredParameters }: Asked): string {
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  return JSON.stringify({ result: 'success', msg: '', ...fields, ...ignored }).slice(0, -1);
}

async function* textsOfOne(opening: string, texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let before = opening;
  for await (const text of texts) {
    yield Buffer.from(`${before}${text}`);
    before = '';
    await ownTurn();
  }
  if (before !== '') throw InvalidMessage();
  yield Buffer.from('}');
}

async function* textsOfAll<F, S extends object>(
  opening: string,
  parts: readonly (readonly MessageId[])[],
  content: Content<F, S>,
): AsyncGenerator<Buffer> {
  let before = opening;
  let closing = '';
  for await (const { text, brackets, isBegun } of piecesOf(parts, content)) {
    if (closing === '') before += brackets.slice(0, 1);
    closing = brackets.slice(-1);
    if (text === '') continue;
    yield Buffer.from(isBegun ? text : `${before}${text}`);
    before = ',';
  }
  yield Buffer.from(before === ',' ? `${closing}}` : `${before}${closing}}`);
}

/** JSON of some messages, or of a part of one that is begun, and what stands around all of them. */
interface Piece {
  readonly text: string;
  readonly brackets: string;
  readonly isBegun: boolean;
}

async function* piecesOf<F, S extends object>(
  parts: readonly (readonly MessageId[])[],
  { show, heavy, textsOf }: Content<F, S>,
): AsyncGenerator<Piece> {
  for (const part of parts) {
    await ownTurn();
    const [id] = part;
    if (textsOf && id !== undefined && heavy?.has(id)) yield* piecesOfOne(textsOf(id));
    else {
      const text = JSON.stringify(await show(part));
      yield { text: text.slice(1, -1), brackets: `${text.slice(0, 1)}${text.slice(-1)}`, isBegun: false };
    }
  }
}

async function* piecesOfOne(texts: AsyncIterable<string>): AsyncGenerator<Piece> {
  const brackets = '[]';
  // Also of a message that is gone: the list must not miss its brackets.
  yield { text: '', brackets, isBegun: false };
  let isBegun = false;
  for await (const text of texts) {
    yield { text, brackets, isBegun };
    isBegun = true;
    await ownTurn();
  }
}
