import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { request } from '../support/connection.ts';
import { api, type ApiCall, type Attack, type Scene, times } from './attack.ts';

/** Characters of the longest message. */
const LENGTH = 10_000;
const rendered = (content: string): ApiCall => ['POST', '/messages/render', { content }];
const filter = (pattern: string, url_template: string): ApiCall => [
  'POST',
  '/realm/filters',
  { pattern, url_template },
];

const FILTERS: readonly ApiCall[] = [
  filter('(a+)+b', 'https://x.test/'),
  filter('(?P<x>(a|b|ab)*)c', 'https://x.test/{x}'),
  filter('a.{100}b', 'https://x.test/'),
  filter('(?:a?){40}a{40}', 'https://x.test/2'),
  filter('(?:.{0,10}a){9}b', 'https://x.test/3'),
  filter('#(?P<n>[0-9]+)(.*x)?', 'https://x.test/{n}'),
  filter('(?:a?){500}a{500}', 'https://x.test/5'),
];

let edited = 0;

/** The history of a message whose two hostile versions differ everywhere: their HTML is compared word by word. */
const history: Attack = {
  name: 'history of two texts that differ everywhere',
  before: async ({ ask, owner }: Scene) => {
    const text = (word: string) =>
      times(LENGTH / 4, (n) => `${word}${n % 7}`)
        .join(' ')
        .slice(0, LENGTH);
    const sent = await ask('POST', '/messages', { type: 'direct', to: [owner.id], content: text('ab') });
    edited = Number(sent['id']);
    await ask('PATCH', `/messages/${edited}`, { content: text('ba') });
  },
  send: ({ owner }) => request(owner, 'GET', `/messages/${edited}/history`),
};

/** Costly texts of messages. */
export const TEXTS: readonly Attack[] = [
  api('linkifiers: (a+)+b on as', () => rendered('a'.repeat(LENGTH)), FILTERS),
  api('linkifiers: every second character', () => rendered('a '.repeat(LENGTH / 2))),
  api('linkifiers: 3,333 numbers', () => rendered('#1 '.repeat(LENGTH / 3))),
  api('linkifiers: ab', () => rendered('ab '.repeat(LENGTH / 3))),
  ...Object.entries(hostileTexts(LENGTH)).map(([name, text]) => api(`Markdown: ${name}`, () => rendered(text))),
  history,
];
