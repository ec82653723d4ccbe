import { answerInParts, ownTurn, type RawBody, type RequestFacts } from '#kernel/endpoint';
import type { Actor } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { inChunks } from '#kernel/store';
import { KeyMissing } from './errors.ts';
import { ownPart } from './queries.ts';
import type { StoredText } from './tables.ts';

/** Keys of which texts are read at a time. */
const KEYS_AT_ONCE = 500;

/** What an answer says of its request, and the room that it takes while it is made. */
type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;
type Reply = RawBody | { readonly storage: Readonly<Record<string, string>> };

/**
 * Answers with what an account has stored, all or under keys that must exist. Of many characters the answer is read and
 * made in parts, between which other requests are served: control characters take six times as many.
 */
export async function replyWith(
  context: ReadContext,
  actor: Actor,
  keys: readonly string[] | undefined,
  asked: Asked,
): Promise<Reply> {
  const parts = partsOf(context, actor, keys);
  const first = await parts.next();
  const rows = first.done === true ? [] : first.value.rows;
  if (first.done === true || first.value.isLast)
    return { storage: Object.fromEntries(rows.map((row) => [row.storage_key, row.storage_value])) };
  return answerInParts(textsOf(rows, parts, asked), asked);
}

/** Reads the texts in parts; throws at the end if a key is missing. */
async function* partsOf(
  { store }: ReadContext,
  actor: Actor,
  keys: readonly string[] | undefined,
): AsyncGenerator<{ readonly rows: readonly StoredText[]; readonly isLast: boolean }, undefined> {
  const slices = keys ? inChunks(keys, KEYS_AT_ONCE) : [undefined];
  let found = 0;
  for (const [index, slice] of slices.entries())
    for (let after: string | undefined, isMore = true; isMore; ) {
      const { rows, isLast } = await store.as(actor).query((tx) => ownPart(tx, after, slice));
      found += rows.length;
      isMore = !isLast;
      const isEnd = isLast && index === slices.length - 1;
      if (isEnd && keys && found < keys.length) throw KeyMissing();
      yield { rows, isLast: isEnd };
      after = rows.at(-1)?.storage_key;
    }
}

async function* textsOf(
  first: readonly StoredText[],
  more: ReturnType<typeof partsOf>,
  { ignoredParameters }: Asked,
): AsyncGenerator<Buffer> {
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...ignored }).slice(0, -1);
  let before = `${head},"storage":{`;
  const textOf = (rows: readonly StoredText[]) => {
    const members = rows.map((row) => `${JSON.stringify(row.storage_key)}:${JSON.stringify(row.storage_value)}`);
    const text = Buffer.from(before + members.join());
    before = ',';
    return text;
  };
  yield textOf(first);
  for await (const { rows } of more) {
    await ownTurn();
    if (rows.length > 0) yield textOf(rows);
  }
  yield Buffer.from('}}');
}
