import { TooManyTexts } from '#features/users';
import { endpoint, everyone, optional, path, raw } from '#kernel/endpoint';
import { idOf, list, text } from '#kernel/schema';
import { addSnippet, removeSnippet, updateSnippet } from './actions.ts';
import { SnippetMissing } from './errors.ts';
import { listSnippets } from './queries.ts';
import type { SnippetId } from './tables.ts';
import { toWireSnippet, wireSnippet } from './wire.ts';

/** Longest title and content, in code points. See protocol/saved#snippets. */
const MAX_TITLE = 60;
const MAX_CONTENT = 10_000;

const content = raw(text({ trim: true, min: 1, max: MAX_CONTENT }), 'Markdown; not blank.');
const title = raw(text({ line: true, trim: true, min: 1, max: MAX_TITLE }), 'Not blank; need not be unique.');
const saved_snippet_id = path(idOf<SnippetId>());

const createSnippet = endpoint({
  id: 'create-saved-snippet',
  method: 'POST',
  path: '/saved_snippets',
  source: 'protocol/saved#snippets',
  since: 297,
  doc: 'Saves a snippet.',
  who: everyone,
  params: { content, title },
  returns: { saved_snippet_id: idOf<SnippetId>() },
  fails: [TooManyTexts],
  async run({ actor, params, context }) {
    const { id } = await addSnippet(context, actor, params);
    return { saved_snippet_id: id };
  },
});

const editSnippet = endpoint({
  id: 'edit-saved-snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  source: 'protocol/saved#snippets',
  since: 368,
  doc: 'Changes a snippet of the caller.',
  who: everyone,
  params: { saved_snippet_id, content: optional(content), title: optional(title) },
  returns: {},
  fails: [SnippetMissing, TooManyTexts],
  async run({ actor, params, context }) {
    await updateSnippet(context, actor, params);
    return {};
  },
});

const getSnippets = endpoint({
  id: 'get-saved-snippets',
  method: 'GET',
  path: '/saved_snippets',
  source: 'protocol/saved#snippets',
  since: 297,
  doc: "The caller's snippets.",
  who: everyone,
  params: {},
  returns: { saved_snippets: list(wireSnippet) },
  async run({ actor, context }) {
    const rows = await context.store.as(actor).query((tx) => listSnippets(tx, actor.userId));
    return { saved_snippets: rows.map(toWireSnippet) };
  },
});

const deleteSnippetEndpoint = endpoint({
  id: 'delete-saved-snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  source: 'protocol/saved#snippets',
  since: 297,
  doc: 'Deletes a snippet of the caller.',
  who: everyone,
  params: { saved_snippet_id },
  returns: {},
  fails: [SnippetMissing],
  async run({ actor, params, context }) {
    await removeSnippet(context, actor, params.saved_snippet_id);
    return {};
  },
});

export const snippetEndpoints = [createSnippet, editSnippet, getSnippets, deleteSnippetEndpoint];
