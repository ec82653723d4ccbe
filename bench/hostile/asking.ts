import { type ApiCall, api, type Attack, times } from './attack.ts';

const words = (count: number) => Array.from({ length: count }, (_none, n) => `w${n}`).join(' ');
const fetching = (narrow: unknown): ApiCall => [
  'POST',
  '/messages/flags/narrow',
  { anchor: 'newest', num_before: 100, num_after: 0, narrow, op: 'add', flag: 'read' },
];
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });

interface Asked {
  readonly name: string;
  readonly call: (round: number) => ApiCall;
}

const ASKED: readonly Asked[] = [
  { name: 'search of 100 words', call: () => fetching([term('search', words(100))]) },
  { name: 'search of 80,000 words', call: () => fetching([term('search', words(80_000))]) },
  { name: 'search of 100 phrases', call: () => fetching([term('search', times(100, (n) => `"w${n}"`).join(' '))]) },
  { name: 'search of a phrase without words', call: () => fetching([term('search', '"?!?!"')]) },
  { name: 'search of 1,000 wildcards', call: () => fetching([term('search', `text "${'%_'.repeat(450)}"`)]) },
  { name: '100 negated searches', call: () => fetching(times(100, (n) => term('search', `w${n}`, true))) },
  { name: 'narrow of 100 terms of people', call: () => fetching(times(100, (n) => term('dm-including', n + 1, true))) },
  {
    name: 'narrow of 100 terms that nothing meets',
    call: () => fetching([...times(99, (n) => term('mentions', n + 1, true)), term('has', 'reaction')]),
  },
  { name: 'narrow of 100 terms', call: () => fetching(times(100, () => term('is', 'mentioned', true))) },
  { name: 'narrow of 100 people', call: () => fetching(times(100, (n) => term('sender', n + 1, true))) },
  { name: 'narrow of 10,000 terms', call: () => fetching(times(10_000, () => term('is', 'unread'))) },
  {
    name: 'narrow with 1,500 people in one term',
    call: () =>
      fetching([
        term(
          'dm',
          times(1500, (n) => n + 1),
        ),
      ]),
  },
  {
    name: 'queue narrow of 100 terms',
    call: () => ['POST', '/register', { narrow: times(100, () => ['topic', 'x'.repeat(1000)]), fetch_event_types: [] }],
  },
  {
    name: '5,000 messages at once',
    call: () => ['GET', '/messages', { anchor: 'newest', num_before: 5000, num_after: 0, narrow: [] }],
  },
  {
    name: 'invitations of 300 people',
    call: (round) => [
      'POST',
      '/invites',
      { invitee_emails: times(300, (n) => `p${round}-${n}@many.test`).join(), stream_ids: [] },
    ],
  },
  {
    name: 'list of invitations',
    call: () => ['GET', '/invites', {}],
  },
  { name: 'JSON of a million values', call: () => ['POST', '/drafts', { drafts: times(1_000_000, () => 0) }] },
  {
    name: 'JSON nested a million deep',
    call: () => ['POST', '/drafts', { drafts: `${'['.repeat(1e6)}${']'.repeat(1e6)}` }],
  },
  { name: 'JSON of one text of 4 MB', call: () => ['POST', '/drafts', { drafts: ['x'.repeat(4_000_000)] }] },
  {
    name: 'principals of 50,000',
    call: () => [
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name: 'channel 1' }], principals: times(50_000, (n) => n + 1e6) },
    ],
  },
  {
    name: 'flags of 5,000 messages',
    call: () => ['POST', '/messages/flags', { messages: times(5_000, (n) => n + 1), op: 'add', flag: 'starred' }],
  },
  {
    name: '250 drafts of 10,000 characters',
    call: () => [
      'POST',
      '/drafts',
      { drafts: times(250, () => ({ type: 'private', to: [], topic: '', content: 'x'.repeat(10_000) })) },
    ],
  },
  { name: 'list of 1,000 drafts of 10,000 characters', call: () => ['GET', '/drafts', {}] },
  {
    name: 'a group of 10,000 IDs',
    call: (round) => [
      'POST',
      '/user_groups/create',
      { name: `g${round}`, description: '', members: times(10_000, (n) => n + 1e6) },
    ],
  },
  {
    name: 'flags of 100,000 messages',
    call: () => ['POST', '/messages/flags', { messages: times(100_000, (n) => n + 1), op: 'add', flag: 'read' }],
  },
  {
    name: 'values of 10,000 profile fields',
    call: () => ['PATCH', '/users/me/profile_data', { data: times(10_000, (n) => ({ id: n, value: 'x'.repeat(50) })) }],
  },
  {
    name: 'a profile field of 10,000 choices',
    call: (round) => [
      'POST',
      '/realm/profile_fields',
      {
        name: `field ${round}`,
        field_type: 3,
        field_data: JSON.stringify(Object.fromEntries(times(10_000, (n) => [n, { text: `c${n}`, order: String(n) }]))),
      },
    ],
  },
  {
    name: 'a group of 10,000 people',
    call: (round) => [
      'POST',
      '/user_groups/create',
      { name: `people ${round}`, description: '', members: times(10_000, (n) => n + 10) },
    ],
  },
  {
    name: 'making 1,000 channels',
    call: (round) => [
      'POST',
      '/users/me/subscriptions',
      { subscriptions: times(1000, (n) => ({ name: `made ${round} ${n}`, description: 'words' })) },
    ],
  },
  {
    name: 'subscribing ten people to 1,000 channels',
    call: (round) => [
      'POST',
      '/users/me/subscriptions',
      {
        subscriptions: times(1000, (n) => ({ name: `made ${round} ${n}` })),
        principals: times(10, (n) => n + 10),
      },
    ],
  },
  {
    name: 'subscribing 10,000 people',
    call: (round) => [
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name: `many ${round}` }], principals: times(10_000, (n) => n + 10) },
    ],
  },
];

/** Costly API calls by members. */
export const ASKING: readonly Attack[] = ASKED.map(({ name, call }) => api(name, call));
