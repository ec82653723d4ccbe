import { idOf, int, object, type SchemaOf, str } from '#kernel/schema';
import type { SnippetId, SnippetRow } from './tables.ts';

/** A saved snippet as clients see it. Api "Saved snippet". */
export const wireSnippet = object({ id: idOf<SnippetId>(), title: str(), content: str(), date_created: int() }).meta({
  id: 'SavedSnippet',
});
export type WireSnippet = SchemaOf<typeof wireSnippet>;

export function toWireSnippet({ id, title, content, date_created }: SnippetRow): WireSnippet {
  return { id, title, content, date_created };
}
