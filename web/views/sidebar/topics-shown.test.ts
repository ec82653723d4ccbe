import { describe, expect, it } from 'vitest';
import { topicsShown } from './topics-shown.ts';

const topics = (names: string) => names.split('').map((topic) => ({ channelId: 1, topic }));
const shown = (opened: string, unread: string, newest: string) =>
  [...topicsShown({ opened: topics(opened)[0], unread: topics(unread), newest: topics(newest) }, 3).values()]
    .map(({ topic }) => topic)
    .join('');

describe('topics under a channel', () => {
  it('are the newest, in their order', () => {
    expect(shown('', 'cb', 'abcd')).toBe('abc');
  });

  it('have the one that is open among them, however old it is', () => {
    expect(shown('d', '', 'abcd')).toBe('abd');
    expect(shown('D', '', 'abcd')).toBe('abD');
    expect(shown('b', '', 'abcd')).toBe('abc');
  });

  it('begin with what the list does not have yet', () => {
    expect(shown('x', 'y', 'abcd')).toBe('xya');
    expect(shown('', 'ab', '')).toBe('ab');
  });
});
