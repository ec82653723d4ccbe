import type { Actor } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { answerInParts, ownTurn, type RawBody, type RequestFacts } from '#kernel/endpoint';
import { findOwnUploads, readUsage } from './queries.ts';
import type { AttachmentRow } from './tables.ts';
import { timedUsesOf } from './uses/queries.ts';
import { MAX_LISTED, toWireAttachment, type WireAttachment } from './wire.ts';

/** Files of which an answer is made at a time, and most messages of all of them. See protocol/files#attachments. */
const PAGE = 500;
const MAX_IN_PAGE = 5000;

type Asked = Pick<RequestFacts, 'acceptsGzip' | 'ignoredParameters' | 'room'>;
type Listed = { readonly attachments: WireAttachment[]; readonly upload_space_used: number };

/** Lists the files of an account. Of thousands, the answer is made in parts, between which other requests are served. */
export async function listFiles(context: ReadContext, actor: Actor, asked: Asked): Promise<RawBody | Listed> {
  const upload_space_used = await context.store.as(actor).query((tx) => readUsage(tx));
  const first = await pageOf(context, actor, undefined);
  if (first.length < PAGE) return { attachments: first, upload_space_used };
  const { ignoredParameters } = asked;
  const ignored = ignoredParameters.length > 0 ? { ignored_parameters_unsupported: ignoredParameters } : {};
  const head = JSON.stringify({ result: 'success', msg: '', ...ignored, upload_space_used }).slice(0, -1);
  return answerInParts(
    textsOf(head, first, (after) => pageOf(context, actor, after)),
    asked,
  );
}

function pageOf(context: ReadContext, actor: Actor, after: AttachmentRow['id'] | undefined): Promise<WireAttachment[]> {
  return context.store.as(actor).read(async (tx) => {
    const rows = await findOwnUploads(tx, actor.userId, after, PAGE);
    const ids = rows.map((row) => row.id);
    const uses = await timedUsesOf(tx, ids, { each: MAX_LISTED, inAll: MAX_IN_PAGE, from: 'newest' });
    return rows.map((row) => toWireAttachment(row, uses.get(row.id) ?? []));
  });
}

async function* textsOf(
  head: string,
  first: readonly WireAttachment[],
  next: (after: AttachmentRow['id'] | undefined) => Promise<readonly WireAttachment[]>,
): AsyncGenerator<Buffer> {
  let before = `${head},"attachments":[`;
  for (let page = first; page.length > 0; page = page.length < PAGE ? [] : await next(page.at(-1)?.id)) {
    await ownTurn();
    yield Buffer.from(before + JSON.stringify(page).slice(1, -1));
    before = ',';
  }
  yield Buffer.from(']}');
}
