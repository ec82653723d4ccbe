import { assertRoom, type PersonalTexts } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { SnippetMissing } from './errors.ts';
import { snippetAdded, snippetRemoved, snippetUpdated } from './events.ts';
import { deleteSnippet, insertSnippet, setSnippet } from './queries.ts';
import type { SnippetId, SnippetRow } from './tables.ts';
import { toWireSnippet } from './wire.ts';

const TEXTS: PersonalTexts = { table: 'saved_snippet', texts: ['title', 'content'], name: 'saved snippets' };

/** Saves a snippet for its owner. See protocol/saved#snippets. */
export function addSnippet(context: Context, actor: Actor, title: string, content: string): Promise<SnippetRow> {
  const { realmId, userId } = actor;
  return context.store.as(actor).write(async (tx) => {
    await assertRoom(tx, TEXTS, [[title, content]]);
    const row = await insertSnippet(tx, { realm_id: realmId, user_id: userId, title, content });
    tx.emit(snippetAdded(realmId, { saved_snippet: toWireSnippet(row) }, { audience: { users: [userId] } }));
    return row;
  });
}

/** Changes what was given; nothing given changes nothing, whatever the ID. See protocol/saved#snippets. */
export async function updateSnippet(
  context: Context,
  actor: Actor,
  id: SnippetId,
  values: { readonly title: string | undefined; readonly content: string | undefined },
): Promise<void> {
  const { realmId, userId } = actor;
  const { title, content } = values;
  if (title === undefined && content === undefined) return;
  const changes = { ...(title !== undefined && { title }), ...(content !== undefined && { content }) };
  await context.store.as(actor).write(async (tx) => {
    if (content !== undefined) await assertRoom(tx, TEXTS, [[title ?? '', content]], id);
    const row = await setSnippet(tx, userId, id, changes);
    if (!row) throw SnippetMissing();
    tx.emit(snippetUpdated(realmId, { saved_snippet: toWireSnippet(row) }, { audience: { users: [userId] } }));
  });
}

/** Throws a snippet away. See protocol/saved#snippets. */
export async function removeSnippet(context: Context, actor: Actor, id: SnippetId): Promise<void> {
  const { realmId, userId } = actor;
  await context.store.of(realmId).write(async (tx) => {
    if (!(await deleteSnippet(tx, userId, id))) throw SnippetMissing();
    tx.emit(snippetRemoved(realmId, { saved_snippet_id: id }, { audience: { users: [userId] } }));
  });
}
