import { foldCase } from '#kernel/text';
import type { Conversation, ConversationKey } from '../../model/index.ts';

/** An unread conversation. */
export interface UnreadEntry {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly title: string;
  /** Its unread messages, ascending. */
  readonly ids: readonly number[];
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
}

/** Where a channel stands in the sidebar. */
export interface ChannelPlace {
  readonly name: string;
  readonly isPinned: boolean;
  readonly folderId: number | null;
}

/** The unread conversations of one channel, or the direct ones. */
export interface InboxPart {
  readonly channelId: number | undefined;
  readonly entries: readonly UnreadEntry[];
}

/** Direct messages, pinned channels, a folder, or the channels that have none. */
export interface InboxGroup {
  readonly key: string;
  readonly kind: 'direct' | 'pinned' | 'folder' | 'other';
  readonly folderId: number | undefined;
  readonly parts: readonly InboxPart[];
  readonly unread: number;
}

export type InboxFilter = 'unmuted' | 'followed' | 'all';

interface Grouping {
  readonly placeOf: (channelId: number) => ChannelPlace;
  /** Folders in their order. */
  readonly folders: readonly number[];
  readonly filter: InboxFilter;
  /** Words that a title or a channel's name must hold. */
  readonly query: string;
}

/** The unread conversations as the inbox shows them: in each part the newest first, channels by name. */
export function inboxGroups(entries: readonly UnreadEntry[], grouping: Grouping): readonly InboxGroup[] {
  const parts = partsOf(entries.filter((entry) => isShown(entry, grouping)));
  const groups = new Map<string, InboxPart[]>();
  for (const part of parts) {
    const key = groupOf(part, grouping);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  const name = ({ channelId }: InboxPart) => (channelId === undefined ? '' : grouping.placeOf(channelId).name);
  const order = ['direct', 'pinned', ...grouping.folders.map((id) => `folder${id}`), 'other'];
  return order.flatMap((key) => {
    const own = groups.get(key);
    return own
      ? [
          groupFrom(
            key,
            own.toSorted((a, b) => name(a).localeCompare(name(b))),
          ),
        ]
      : [];
  });
}

function isShown(entry: UnreadEntry, { filter, query, placeOf }: Grouping): boolean {
  const isDirect = 'people' in entry.conversation;
  if (filter === 'followed' && !isDirect && !entry.isFollowed) return false;
  // Whoever is mentioned is told, whatever is muted.
  if (filter === 'unmuted' && entry.isMuted && entry.mentions === 0) return false;
  const channel = 'channelId' in entry.conversation ? placeOf(entry.conversation.channelId).name : '';
  return foldCase(`${entry.title} ${channel}`).includes(foldCase(query.trim()));
}

function partsOf(entries: readonly UnreadEntry[]): readonly InboxPart[] {
  const byChannel = new Map<number | undefined, UnreadEntry[]>();
  for (const entry of entries) {
    const channelId = 'channelId' in entry.conversation ? entry.conversation.channelId : undefined;
    byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), entry]);
  }
  const newest = ({ ids }: UnreadEntry) => ids.at(-1) ?? 0;
  return [...byChannel].map(([channelId, own]) => ({
    channelId,
    entries: own.toSorted((a, b) => newest(b) - newest(a)),
  }));
}

function groupOf({ channelId }: InboxPart, { placeOf, folders }: Grouping): string {
  if (channelId === undefined) return 'direct';
  const { isPinned, folderId } = placeOf(channelId);
  if (isPinned) return 'pinned';
  return folderId !== null && folders.includes(folderId) ? `folder${folderId}` : 'other';
}

function groupFrom(key: string, parts: readonly InboxPart[]): InboxGroup {
  const folderId = key.startsWith('folder') ? Number(key.slice('folder'.length)) : undefined;
  const kind = key === 'direct' || key === 'pinned' || key === 'other' ? key : 'folder';
  const unread = parts.flatMap(({ entries }) => entries).reduce((sum, { ids }) => sum + ids.length, 0);
  return { key, kind, folderId, parts, unread };
}
