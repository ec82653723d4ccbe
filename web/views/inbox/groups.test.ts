import { describe, expect, it } from 'vitest';
import { type Conversation, keyOf } from '../../model/index.ts';
import { inboxGroups, type UnreadEntry } from './groups.ts';

const NAMES: Readonly<Record<number, string>> = {
  1: 'general',
  2: 'design',
  3: 'releases',
  4: 'engineering',
  5: 'attic',
  6: 'old',
};
const SECTIONS = new Map([
  ['pinned', [2]],
  ['folder8', [4, 3]],
  ['other', [5, 1]],
]);
const namesOf = (conversation: Conversation) =>
  'topic' in conversation ? `${conversation.topic} ${NAMES[conversation.channelId] ?? ''}` : 'Mia Member';
const entry = (
  conversation: Conversation,
  newest: number,
  unread = 1,
  more: Partial<UnreadEntry> = {},
): UnreadEntry => ({
  key: keyOf(conversation),
  conversation,
  unread,
  newest,
  mentions: 0,
  isMuted: false,
  isFollowed: false,
  ...more,
});
const ENTRIES = [
  entry({ channelId: 3, topic: 'Autumn' }, 4),
  entry({ channelId: 4, topic: 'Builds' }, 6, 2),
  entry({ channelId: 6, topic: 'archived' }, 10),
  entry({ channelId: 1, topic: 'lunch' }, 1),
  entry({ channelId: 1, topic: 'soup' }, 9, 2, { isFollowed: true }),
  entry({ channelId: 5, topic: 'box' }, 3, 1, { isMuted: true }),
  entry({ channelId: 2, topic: 'beak' }, 7, 1, { isMuted: true, mentions: 1 }),
  entry({ people: [4, 7] }, 8),
];
const show = (filter: 'unmuted' | 'followed' | 'all', query = '') =>
  inboxGroups(ENTRIES, { sections: SECTIONS, folders: [8], filter, query, namesOf }).map(({ key, unread, parts }) => [
    key,
    unread,
    ...parts.map(({ entries }) =>
      entries.map(({ conversation }) => ('topic' in conversation ? conversation.topic : 'Mia Member')).join(' '),
    ),
  ]);

describe('the inbox', () => {
  it('has direct messages first, then channels as the sidebar has them and the rest, the newest first', () => {
    expect(show('all')).toEqual([
      ['direct', 1, 'Mia Member'],
      ['pinned', 1, 'beak'],
      ['folder8', 3, 'Builds', 'Autumn'],
      ['other', 5, 'box', 'soup lunch', 'archived'],
    ]);
  });

  it('leaves out what is muted, unless it mentions the reader', () => {
    expect(show('unmuted').flat()).not.toContain('box');
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
