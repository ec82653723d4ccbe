import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { type Child, loopSeconds } from '../support/child.ts';
import { Connection, request } from '../support/connection.ts';
import { fillMessages, openPrepared } from '../support/history.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

const SIZE = { users: 500, channels: 20, subscribers: 100 };
const MESSAGES = 20_000;
/** Milliseconds that a request may keep everybody else waiting. */
const BAR_MS = 50;
const ROUNDS = 5;

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Parameters = Readonly<Record<string, unknown>>;
interface Attack {
  readonly name: string;
  readonly call: (round: number) => readonly [Method, string, Parameters];
  /** Requests that must have gone before. */
  readonly before?: readonly (readonly [Method, string, Parameters])[];
}

const words = (count: number) => Array.from({ length: count }, (_none, n) => `w${n}`).join(' ');
const fetching = (narrow: unknown): readonly [Method, string, Parameters] => [
  'POST',
  '/messages/flags/narrow',
  { anchor: 'newest', num_before: 100, num_after: 0, narrow, op: 'add', flag: 'read' },
];
const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_none, n) => make(n));
const rendered = (content: string) => ['POST', '/messages/render', { content }] as const;
const LENGTH = 10_000;

const ATTACKS: readonly Attack[] = [
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
    name: 'linkifiers: (a+)+b on as',
    before: [
      ['POST', '/realm/filters', { pattern: '(a+)+b', url_template: 'https://x.test/' }],
      ['POST', '/realm/filters', { pattern: '(?P<x>(a|b|ab)*)c', url_template: 'https://x.test/{x}' }],
      ['POST', '/realm/filters', { pattern: 'a.{100}b', url_template: 'https://x.test/' }],
      ['POST', '/realm/filters', { pattern: '(?:a?){40}a{40}', url_template: 'https://x.test/2' }],
      ['POST', '/realm/filters', { pattern: '(?:.{0,10}a){9}b', url_template: 'https://x.test/3' }],
      ['POST', '/realm/filters', { pattern: '#(?P<n>[0-9]+)(.*x)?', url_template: 'https://x.test/{n}' }],
      ['POST', '/realm/filters', { pattern: '(?:a?){500}a{500}', url_template: 'https://x.test/5' }],
    ],
    call: () => rendered('a'.repeat(LENGTH)),
  },
  { name: 'linkifiers: every second character', call: () => rendered('a '.repeat(LENGTH / 2)) },
  { name: 'linkifiers: 3,333 numbers', call: () => rendered('#1 '.repeat(LENGTH / 3)) },
  { name: 'linkifiers: ab', call: () => rendered('ab '.repeat(LENGTH / 3)) },
  ...Object.entries(hostileTexts(LENGTH)).map(([name, text]) => ({
    name: `Markdown: ${name}`,
    call: () => rendered(text),
  })),
];

/** The longest that a request may keep the event loop, for what strangers and members can send; docs/security.md. */
export async function benchHostile(): Promise<void> {
  const { folder, accounts, remove } = await prepare(SIZE);
  const [owner] = accounts;
  const store = await openPrepared(folder, undefined);
  await fillMessages(store, owner?.id ?? 0, { ...SIZE, first: 1, last: MESSAGES });
  const server = await startRoost(folder, { ROOST_RATE_LIMITS: 'off' });
  const [attacker, other] = [await Connection.open(server.port), await Connection.open(server.port)];
  const poll = request(undefined, 'GET', '/server_settings');
  for (let n = 0; n < 200; n++) await other.send(poll);
  const edited = await historyOfTwo(attacker, owner);
  const worst: { name: string; ms: number }[] = [];
  for (const { name, call, before = [] } of [...ATTACKS, edited]) {
    for (const [method, path, fields] of before)
      await attacker.send(request(owner, method, path, fields)).catch(() => undefined);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = request(owner, ...call(round));
      least = Math.min(least, await stretchOf(server, attacker, other, bytes, poll));
    }
    worst.push({ name, ms: least });
  }
  worst.sort((a, b) => b.ms - a.ms);
  const isMarkdown = ({ name }: { name: string }) => name.startsWith('Markdown');
  const shown = [...worst.filter((one) => !isMarkdown(one)), ...worst.filter(isMarkdown).slice(0, 5)];
  for (const { name, ms } of shown) report('hostile', `${name} (bar ${BAR_MS})`, `${ms.toFixed(1)} ms`);
  attacker.close();
  other.close();
  await server.stop();
  remove();
}

/**
 * Milliseconds of the longest stretch that one request keeps the event loop: no longer than its processor time, and than
 * the longest wait of somebody who asks again and again meanwhile. On a machine with other work either may be too long.
 */
async function stretchOf({ pid, port }: Child, attacker: Connection, other: Connection, bytes: Buffer, poll: Buffer) {
  const before = loopSeconds(pid);
  const state = { isDone: false };
  // A refusal is an answer, too; a body that is refused early ends its connection.
  const own = attacker.isClosed ? await Connection.open(port) : attacker;
  const attack = own
    .send(bytes)
    .catch(() => undefined)
    .then(() => {
      state.isDone = true;
    });
  let longest = 0;
  while (!state.isDone) {
    const asked = performance.now();
    await other.send(poll);
    longest = Math.max(longest, performance.now() - asked);
  }
  await attack;
  if (own !== attacker) own.close();
  return Math.min(longest, (loopSeconds(pid) - before) * 1000);
}

/** The history of a message that was one hostile text and is another: its HTML is compared word by word. */
async function historyOfTwo(connection: Connection, owner: Parameters_<typeof request>): Promise<Attack> {
  const text = (word: string) =>
    times(LENGTH / 4, (n) => `${word}${n % 7}`)
      .join(' ')
      .slice(0, LENGTH);
  const sent = await connection.send(
    request(owner, 'POST', '/messages', { type: 'direct', to: [owner?.id], content: text('ab') }),
  );
  const { id }: { id: number } = JSON.parse(String(sent));
  await connection.send(request(owner, 'PATCH', `/messages/${id}`, { content: text('ba') }));
  return { name: 'history of two texts that differ everywhere', call: () => ['GET', `/messages/${id}/history`, {}] };
}
type Parameters_<F extends (...args: never[]) => unknown> = globalThis.Parameters<F>[0];
