import type { WireSnippet } from './wire.ts';

/** A client's state about snippets. */
interface SnippetsState {
  readonly saved_snippets: readonly WireSnippet[];
}

type SnippetsEvent =
  | { readonly op: 'add' | 'update'; readonly saved_snippet: WireSnippet }
  | { readonly op: 'remove'; readonly saved_snippet_id: number };

/** The snippets after an event, by ID. */
export function applySnippetEvent({ saved_snippets }: SnippetsState, event: SnippetsEvent): SnippetsState {
  const id = event.op === 'remove' ? event.saved_snippet_id : event.saved_snippet.id;
  const others = saved_snippets.filter((one) => one.id !== id);
  const all = event.op === 'remove' ? others : [...others, event.saved_snippet];
  return { saved_snippets: all.toSorted((a, b) => a.id - b.id) };
}
