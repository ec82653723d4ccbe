import { describe, expect, it } from 'vitest';
import { keyOf, type Conversation } from '../../model/index.ts';
import { type ChannelPlace, inboxGroups, type UnreadEntry } from './groups.ts';

const PLACES: Readonly<Record<number, ChannelPlace>> = {
  1: { name: 'general', isPinned: false, folderId: null },
  2: { name: 'design', isPinned: true, folderId: 8 },
  3: { name: 'releases', isPinned: false, folderId: 8 },
  4: { name: 'engineering', isPinned: false, folderId: 8 },
  5: { name: 'old', isPinned: false, folderId: 99 },
};
const placeOf = (id: number) => PLACES[id] ?? { name: `#${id}`, isPinned: false, folderId: null };
const entry = (conversation: Conversation, ids: readonly number[], more: Partial<UnreadEntry> = {}): UnreadEntry => ({
  key: keyOf(conversation),
  conversation,
  title: 'topic' in conversation ? conversation.topic : 'Mia Member',
  ids,
  mentions: 0,
  isMuted: false,
  isFollowed: false,
  ...more,
});
const ENTRIES = [
  entry({ channelId: 3, topic: 'Autumn' }, [4]),
  entry({ channelId: 4, topic: 'Builds' }, [5, 6]),
  entry({ channelId: 1, topic: 'lunch' }, [1]),
  entry({ channelId: 1, topic: 'soup' }, [2, 9], { isFollowed: true }),
  entry({ channelId: 5, topic: 'attic' }, [3], { isMuted: true }),
  entry({ channelId: 2, topic: 'beak' }, [7], { isMuted: true, mentions: 1 }),
  entry({ people: [4, 7] }, [8]),
];
const show = (filter: 'unmuted' | 'followed' | 'all', query = '') =>
  inboxGroups(ENTRIES, { placeOf, folders: [8], filter, query }).map(({ key, unread, parts }) => [
    key,
    unread,
    ...parts.map(({ entries }) => entries.map(({ title }) => title).join(' ')),
  ]);

describe('the inbox', () => {
  it('has direct messages first, then pinned channels, folders and the rest, the newest first', () => {
    expect(show('all')).toEqual([
      ['direct', 1, 'Mia Member'],
      ['pinned', 1, 'beak'],
      ['folder8', 3, 'Builds', 'Autumn'],
      ['other', 4, 'soup lunch', 'attic'],
    ]);
  });

  it('leaves out what is muted, unless it mentions the reader', () => {
    expect(show('unmuted').flat()).not.toContain('attic');
    expect(show('unmuted').flat()).toContain('beak');
  });

  it('shows direct messages and what is followed', () => {
    expect(show('followed')).toEqual([
      ['direct', 1, 'Mia Member'],
      ['other', 2, 'soup'],
    ]);
  });

  it('finds by topic, person and channel, in any letter case', () => {
    expect(show('all', ' ENGINE')).toEqual([['folder8', 2, 'Builds']]);
    expect(show('all', 'mia')).toEqual([['direct', 1, 'Mia Member']]);
    expect(show('all', 'nothing')).toEqual([]);
  });
});
