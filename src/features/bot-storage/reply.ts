import { nextTurn, RawBody, type RequestFacts } from '#kernel/endpoint';
import type { StoredText } from './tables.ts';

/** Characters of stored texts that are serialized before other work runs; control characters take six times as many. */
const PART = 1_000_000;

type Reply = RawBody | { readonly storage: Readonly<Record<string, string>> };

/** Answers with texts. Of many characters the answer is built in parts, between which other requests are served. */
export async function replyWith(
  rows: readonly StoredText[],
  { ignoredParameters }: Pick<RequestFacts, 'ignoredParameters'>,
): Promise<Reply> {
  if (rows.reduce((sum, row) => sum + Number(row.storage_size), 0) <= PART)
    return { storage: Object.fromEntries(rows.map((row) => [row.storage_key, row.storage_value])) };
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...ignored }).slice(0, -1);
  const parts = [Buffer.from(`${head},"storage":{`)];
  for (let [at, done] = [0, 0]; at < rows.length; done = 0) {
    const some: string[] = [];
    for (let row = rows[at]; row && done < PART; row = rows[++at]) {
      some.push(`${JSON.stringify(row.storage_key)}:${JSON.stringify(row.storage_value)}`);
      done += Number(row.storage_size);
    }
    parts.push(Buffer.from(some.join() + (at < rows.length ? ',' : '}}')));
    await nextTurn();
  }
  // One buffer, because only those count against what may wait to be read.
  return new RawBody(Buffer.concat(parts));
}
