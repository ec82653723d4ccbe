import { assertRoom, type PersonalTexts } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { SnippetMissing } from './errors.ts';
import { snippetAdded, snippetRemoved, snippetUpdated } from './events.ts';
import { deleteSnippet, insertSnippet, setSnippet } from './queries.ts';
import type { SnippetId, SnippetRow } from './tables.ts';
import { toWireSnippet } from './wire.ts';

const TEXTS: PersonalTexts = { table: 'saved_snippet', texts: ['title', 'content'], name: 'saved snippets' };

/** Saves a snippet for the actor. See protocol/saved#snippets. */
export function addSnippet(
  context: Context,
  actor: Actor,
  { title, content }: Pick<SnippetRow, 'title' | 'content'>,
): Promise<SnippetRow> {
  const { realmId, userId } = actor;
  return context.store.as(actor).write(async (tx) => {
    await assertRoom(tx, TEXTS, [[title, content]]);
    const row = await insertSnippet(tx, { realm_id: realmId, user_id: userId, title, content });
    tx.emit(snippetAdded({ saved_snippet: toWireSnippet(row) }, { audience: { users: [userId] } }));
    return row;
  });
}

/** The changes to a snippet; undefined members stay. */
interface SnippetChange {
  readonly saved_snippet_id: SnippetId;
  readonly title: string | undefined;
  readonly content: string | undefined;
}

/** Changes the given members; without any it does nothing, whatever the ID. See protocol/saved#snippets. */
export async function updateSnippet(
  context: Context,
  actor: Actor,
  { saved_snippet_id: id, title, content }: SnippetChange,
): Promise<void> {
  const { userId } = actor;
  if (title === undefined && content === undefined) return;
  const changes = { ...(title !== undefined && { title }), ...(content !== undefined && { content }) };
  await context.store.as(actor).write(async (tx) => {
    if (content !== undefined) await assertRoom(tx, TEXTS, [[title ?? '', content]], id);
    const row = await setSnippet(tx, id, changes);
    if (!row) throw SnippetMissing();
    tx.emit(snippetUpdated({ saved_snippet: toWireSnippet(row) }, { audience: { users: [userId] } }));
  });
}

/** Deletes a snippet. See protocol/saved#snippets. */
export async function removeSnippet(context: Context, actor: Actor, id: SnippetId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    if (!(await deleteSnippet(tx, id))) throw SnippetMissing();
    tx.emit(snippetRemoved({ saved_snippet_id: id }, { audience: { users: [actor.userId] } }));
  });
}
