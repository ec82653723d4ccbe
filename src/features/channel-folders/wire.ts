import type { UserId } from '#kernel/ids';
import { bool, idOf, int, nullable, object, type SchemaOf, str } from '#kernel/schema';
import type { FolderId, FolderRow } from './tables.ts';

/** A folder as clients see it. See protocol/channel-folders#folder-object. */
export const wireFolder = object({
  id: idOf<FolderId>(),
  name: str(),
  description: str(),
  rendered_description: str(),
  order: int(),
  date_created: nullable(int()),
  creator_id: nullable(idOf<UserId>()),
  is_archived: bool(),
}).meta({ id: 'ChannelFolder' });
export type WireFolder = SchemaOf<typeof wireFolder>;

export function toWireFolder(row: FolderRow): WireFolder {
  const { id, name, description, rendered_description, position, date_created, creator_id, is_archived } = row;
  return { id, name, description, rendered_description, order: position, date_created, creator_id, is_archived };
}
