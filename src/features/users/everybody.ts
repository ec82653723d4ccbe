import { answerInParts, ownTurn, type RawBody, type RequestFacts } from '#kernel/endpoint';
import type { RealmReadTx } from '#kernel/store';
import type { UserRow } from './tables.ts';
import type { WireUser } from './wire.ts';
import { listUsersAfter } from './lists/queries.ts';

/** Accounts of which an answer is made at a time: ten thousand at once would keep others waiting for a tenth of a second. */
const PAGE = 500;

type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;
type Show = (rows: readonly UserRow[]) => Promise<WireUser[]>;

/** Lists all accounts. Of many, the answer is made in parts, between which other requests are served. */
export async function listEverybody(
  tx: RealmReadTx,
  show: Show,
  asked: Asked,
): Promise<RawBody | { readonly members: WireUser[] }> {
  const first = await listUsersAfter(tx, 0, PAGE);
  if (first.length < PAGE) return { members: await show(first) };
  const { ignoredParameters } = asked;
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...ignored }).slice(0, -1);
  return answerInParts(textsOf(tx, `${head},"members":[`, { first, show }), asked);
}

async function* textsOf(
  tx: RealmReadTx,
  opening: string,
  { first, show }: { readonly first: readonly UserRow[]; readonly show: Show },
): AsyncGenerator<Buffer> {
  let before = opening;
  for (let page = first; page.length > 0; page = await listUsersAfter(tx, page.at(-1)?.id ?? 0, PAGE)) {
    await ownTurn();
    const members = JSON.stringify(await show(page)).slice(1, -1);
    if (members === '') continue;
    yield Buffer.from(`${before}${members}`);
    before = ',';
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`);
}
