import { emojiUrl } from '#features/rendering';
import type { EmojiRow } from './tables.ts';
import type { WireEmoji } from './wire.ts';

/** An emoji with the addresses of its pictures. */
export function toWireEmoji(row: EmojiRow): WireEmoji {
  return {
    id: String(row.id),
    name: row.name,
    source_url: emojiUrl(row.realm_id, row.file_name),
    still_url: row.still_name === null ? null : emojiUrl(row.realm_id, `still/${row.still_name}`),
    deactivated: row.deactivated,
    author_id: row.author_id,
  };
}

/** All emoji by the text of their IDs. */
export function toWireEmojiMap(rows: readonly EmojiRow[]): Record<string, WireEmoji> {
  return Object.fromEntries(rows.map((row) => [String(row.id), toWireEmoji(row)]));
}
