import { describe, expect, it } from 'vitest';
import type { Message } from '../../messages/index.ts';
import { isShown, type RecentFilter, recentConversations } from './recent.ts';

const said = (id: number, sender_id: number, subject: string, stream_id = 1) =>
  ({ id, sender_id, subject, stream_id, display_recipient: 'general' }) as unknown as Message;
const FACTS = {
  title: 'Lunch',
  channel: 'general',
  unread: 1,
  isMine: false,
  isFollowed: false,
  isDirect: false,
  isMuted: false,
};
const shown = (facts: Partial<typeof FACTS>, filters: readonly RecentFilter[] = [], query = '') =>
  isShown({ ...FACTS, ...facts }, new Set(filters), query);

describe('recent conversations', () => {
  it('come by their newest message, with who wrote last', () => {
    const all = recentConversations([
      said(1, 7, 'lunch'),
      said(2, 8, 'soup'),
      said(3, 9, 'LUNCH'),
      said(4, 7, 'lunch'),
    ]);
    expect(all.map(({ newest, senders }) => [newest.id, senders])).toEqual([
      [4, [7, 9]],
      [2, [8]],
    ]);
  });

  it('pass when every chosen filter holds', () => {
    expect(shown({})).toBe(true);
    expect(shown({ unread: 0 }, ['unread'])).toBe(false);
    expect(shown({ isMine: true }, ['unread', 'mine'])).toBe(true);
    expect(shown({ isMine: true }, ['mine', 'followed'])).toBe(false);
    expect(shown({}, ['direct'])).toBe(false);
  });

  it('leave out what is muted until it is looked for by name', () => {
    expect(shown({ isMuted: true })).toBe(false);
    expect(shown({ isMuted: true }, [], 'GENER')).toBe(true);
    expect(shown({}, [], 'soup')).toBe(false);
  });
});
