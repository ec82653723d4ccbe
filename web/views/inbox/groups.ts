import { foldCase } from '#kernel/text';
import type { Conversation, ConversationKey } from '../../model/index.ts';

/** An unread conversation. */
export interface UnreadEntry {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly unread: number;
  /** ID of its newest unread message. */
  readonly newest: number;
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
}

/** The unread conversations of one channel, or the direct ones. */
export interface InboxPart {
  readonly channelId: number | undefined;
  readonly entries: readonly UnreadEntry[];
}

/** A group of the inbox: direct messages, pinned channels, a folder, or channels without one. */
export interface InboxGroup {
  readonly key: string;
  readonly kind: 'direct' | 'pinned' | 'folder' | 'other';
  readonly folderId: number | undefined;
  readonly parts: readonly InboxPart[];
  readonly unread: number;
}

export type InboxFilter = 'unmuted' | 'followed' | 'all';

interface Grouping {
  /** IDs of channels by section of the sidebar (`pinned`, `folder` with its number, `other`), each in order. */
  readonly sections: ReadonlyMap<string, readonly number[]>;
  /** IDs of the folders in order. */
  readonly folders: readonly number[];
  readonly filter: InboxFilter;
  /** Words to find in a conversation's name. */
  readonly query: string;
  /** Returns the names by which a conversation is found. */
  readonly namesOf: (conversation: Conversation) => string;
}

/**
 * Groups unread conversations as the inbox shows them: each part has the newest first, channels are in the sidebar's
 * order.
 */
export function inboxGroups(entries: readonly UnreadEntry[], grouping: Grouping): readonly InboxGroup[] {
  const { sections, folders } = grouping;
  const parts = partsOf(entries.filter(shownIn(grouping)));
  const take = (channelId: number | undefined) => {
    const own = parts.get(channelId);
    parts.delete(channelId);
    return own ? [{ channelId, entries: own.toSorted((a, b) => b.newest - a.newest) }] : [];
  };
  const groups = [groupFrom('direct', take(undefined))];
  for (const key of ['pinned', ...folders.map((id) => `folder${id}`)])
    groups.push(groupFrom(key, (sections.get(key) ?? []).flatMap(take)));
  const others = (sections.get('other') ?? []).flatMap(take);
  // Channels that the sidebar does not list come last.
  groups.push(groupFrom('other', [...others, ...[...parts.keys()].flatMap(take)]));
  return groups.filter((group) => group.parts.length > 0);
}

function shownIn({ filter, query, namesOf }: Grouping): (entry: UnreadEntry) => boolean {
  const words = foldCase(query.trim());
  return (entry) => {
    const isDirect = 'people' in entry.conversation;
    if (filter === 'followed' && !isDirect && !entry.isFollowed) return false;
    // Mentions count even in muted topics and channels.
    if (filter === 'unmuted' && entry.isMuted && entry.mentions === 0) return false;
    return words === '' || foldCase(namesOf(entry.conversation)).includes(words);
  };
}

function partsOf(entries: readonly UnreadEntry[]): Map<number | undefined, UnreadEntry[]> {
  const byChannel = new Map<number | undefined, UnreadEntry[]>();
  for (const entry of entries) {
    const channelId = 'channelId' in entry.conversation ? entry.conversation.channelId : undefined;
    const own = byChannel.get(channelId);
    if (own) own.push(entry);
    else byChannel.set(channelId, [entry]);
  }
  return byChannel;
}

function groupFrom(key: string, parts: readonly InboxPart[]): InboxGroup {
  const folderId = key.startsWith('folder') ? Number(key.slice('folder'.length)) : undefined;
  const kind = key === 'direct' || key === 'pinned' || key === 'other' ? key : 'folder';
  let unread = 0;
  for (const { entries } of parts) for (const entry of entries) unread += entry.unread;
  return { key, kind, folderId, parts, unread };
}
