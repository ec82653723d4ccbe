import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHash, encodeHash } from './hash.ts';
import { conversationHash, hashOf, type Names, type Route, routeOf } from './routes.ts';

const CHANNELS = new Map([
  [5, 'general'],
  [6, 'big news & co'],
  [7, '42'],
]);
const names: Names = {
  me: 7,
  nameOf: (id) => CHANNELS.get(id),
  channelNamed: (name) => [...CHANNELS].find(([, one]) => one === name)?.[0],
};
const route = (hash: string) => routeOf(hash, names);
const topic = (channel: number, name: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: name },
];

describe('addresses', () => {
  it.each<[string, Route]>([
    ['', { view: 'home' }],
    ['#', { view: 'home' }],
    ['#nonsense/x', { view: 'home' }],
    ['#inbox', { view: 'inbox' }],
    ['#recent_topics', { view: 'recent' }],
    ['#all_messages', { view: 'feed' }],
    ['#scheduled', { view: 'scheduled' }],
    ['#narrow/channel/5-general', { view: 'narrow', narrow: [{ operator: 'channel', operand: 5 }] }],
    ['#narrow/channel/5-old-name/topic/welcome/near/123', { view: 'narrow', narrow: topic(5, 'welcome'), near: 123 }],
    ['#narrow/stream/general/topic/lunch.20plans', { view: 'narrow', narrow: topic(5, 'lunch plans') }],
    ['#narrow/stream/big-news-.26-co/subject/x', { view: 'narrow', narrow: topic(6, 'x') }],
    ['#narrow/channel/42', { view: 'narrow', narrow: [{ operator: 'channel', operand: 7 }] }],
    ['#narrow/channel/9-unknown/topic//with/5001', { view: 'narrow', narrow: topic(9, ''), with: 5001 }],
    ['#narrow/dm/7,8-dm', { view: 'narrow', narrow: [{ operator: 'dm', operand: [7, 8] }] }],
    ['#narrow/pm-with/8,9-group', { view: 'narrow', narrow: [{ operator: 'dm', operand: [7, 8, 9] }] }],
    ['#narrow/is/starred', { view: 'narrow', narrow: [{ operator: 'is', operand: 'starred' }] }],
    ['#narrow/-sender/8', { view: 'narrow', narrow: [{ operator: 'sender', operand: 8, negated: true }] }],
    ['#narrow/search/50.25.20off.2F', { view: 'narrow', narrow: [{ operator: 'search', operand: '50% off/' }] }],
    ['#narrow/sender/me', { view: 'narrow', narrow: [{ operator: 'sender', operand: 7 }] }],
    ['#settings/profile', { view: 'settings', section: 'profile' }],
    ['#channels/3/leadership/permissions', { view: 'channels', section: 'one', id: 3, tab: 'permissions' }],
    ['#streams/all', { view: 'channels', section: 'all' }],
    ['#organization/linkifier-settings', { view: 'organization', section: 'linkifier-settings' }],
    ['#narrow/constructor/5', { view: 'narrow', narrow: [{ operator: 'constructor', operand: '5' }] }],
    ['#user/7', { view: 'user', id: 7, section: '' }],
    ['#topics/channel/5-general', { view: 'topics', channelId: 5 }],
  ])('%s is understood', (hash, expected) => expect(route(hash)).toEqual(expected));

  it('are written as messages, mails and apps have them', () => {
    expect(conversationHash({ channelId: 5, topic: 'lunch (plans).' }, names, 12)).toBe(
      '#narrow/channel/5-general/topic/lunch.20.28plans.29.2E/near/12',
    );
    expect(conversationHash({ people: [7, 8] }, names)).toBe('#narrow/dm/8-dm');
    expect(conversationHash({ people: [7] }, names)).toBe('#narrow/dm/7-dm');
    expect(conversationHash({ people: [7, 8, 9] }, names)).toBe('#narrow/dm/8,9-group');
  });

  it('come back as they went, whatever people call things', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 1e9 }), (text, near) => {
        const there: Route = { view: 'narrow', narrow: topic(5, text), near };
        expect(route(hashOf(there, names))).toEqual(there);
        expect(decodeHash(encodeHash(text))).toBe(text);
        expect(encodeHash(text)).toMatch(/^[\w.~*-]*$/);
      }),
    );
  });

  it('never fail, whatever somebody types', () => {
    fc.assert(fc.property(fc.string(), (text) => void hashOf(route(`#narrow/${text}`), names)));
  });
});
