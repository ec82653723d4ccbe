import { describe, expect, it } from 'vitest';
import { nextUnread } from './next.ts';

const ids = new Set([1]);
const topic = (name: string) => ({ key: `c1:${name}`, conversation: { channelId: 1, topic: name }, ids });
const ALL = [topic('b'), topic('a'), { key: 'd7,8', conversation: { people: [7, 8] }, ids }];
const order = (current: string, isDirect = false) => ({
  isDirect,
  current,
  name: () => 'general',
  hashOf: (one: object) => `#${JSON.stringify(one)}`,
});

describe('the next unread conversation', () => {
  it('follows the one that is open, and after the last comes the first', () => {
    const [b, a] = [ALL[0]?.conversation, ALL[1]?.conversation];
    expect(nextUnread(ALL, order('#inbox'))).toEqual(a);
    expect(nextUnread(ALL, order(`#${JSON.stringify(a)}`))).toEqual(b);
    expect(nextUnread(ALL, order(`#${JSON.stringify(b)}`))).toEqual(a);
  });

  it('is a direct one where that was asked for, or none', () => {
    expect(nextUnread(ALL, order('', true))).toEqual({ people: [7, 8] });
    expect(nextUnread([], order(''))).toBeUndefined();
  });
});
