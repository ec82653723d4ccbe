import { answerInParts, ownTurn, type RawBody, type RequestFacts } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';

/** What an answer says of its request, and the room that it takes while it is made. */
export type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;

/** Fields of an answer, and the forms of some of its messages: a list, or by ID. */
interface Content<F, S> {
  readonly fields: F;
  readonly show: (ids: readonly MessageId[]) => Promise<S>;
}

/** Answers with messages in parts, between which other requests are served. */
export async function replyWith<F extends object, S extends object>(
  parts: readonly (readonly MessageId[])[],
  { fields, show }: Content<F, S>,
  asked: Asked,
): Promise<RawBody | (F & { messages: S })> {
  const [all = [], ...more] = parts;
  if (more.length === 0) return { ...fields, messages: await show(all) };
  const { ignoredParameters } = asked;
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...fields, ...ignored });
  const texts = textsOf(`${head.slice(0, -1)},"messages":`, parts, show);
  return answerInParts(texts, asked);
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
