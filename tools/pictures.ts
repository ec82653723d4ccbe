// Takes the pictures of the documentation from a demo server that it starts and fills: `npx tsx --conditions=source tools/pictures.ts`,
// after `npm run build`. Needs Debian's Chromium.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DemoPages } from '../test/support/demo-pages.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
/** Milliseconds until a page no longer changes: late content (pictures, counts) has arrived. */
const SETTLE_MS = 1500;

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/** File name, colour scheme, size, and fragment of the address; without one the topic. */
const PICTURES = [
  { name: 'conversation', colorScheme: 'light', size: WIDE },
  { name: 'conversation-dark', colorScheme: 'dark', size: WIDE },
  { name: 'inbox', colorScheme: 'light', size: WIDE, route: '#inbox' },
  { name: 'channels', colorScheme: 'light', size: WIDE, route: '#channels' },
  { name: 'settings', colorScheme: 'dark', size: WIDE, route: '#settings/preferences' },
  { name: 'phone', colorScheme: 'dark', size: PHONE },
] as const;

type Person = 'owner' | 'admin' | 'moderator' | 'member2' | 'member';
const CHANNELS = [
  ['engineering', 'How it is built'],
  ['releases', 'What goes out, and when'],
  ['support', 'Questions from those who use it'],
] as const;

/** The messages of the topic in the pictures, and the reactions to them. */
const TALK: readonly (readonly [who: Person, text: string, reactions?: readonly (readonly [Person, string])[]])[] = [
  ['member2', 'The nightly import took 41 minutes. It was 6 last week. Did anything change on Thursday?'],
  ['owner', 'We began to look every address up again. This is the loop:'],
  [
    'owner',
    '```typescript\nfor (const person of people) {\n  const known = await findByAddress(person.address);\n  if (known === undefined) await addPerson(person);\n}\n```',
    [['moderator', 'eyes']],
  ],
  [
    'moderator',
    'One question for each of 20,000 people. Asking once is enough:\n```typescript\nconst known = await listByAddresses(people.map(({ address }) => address));\nawait addPeople(people.filter(({ address }) => !known.has(address)));\n```',
    [
      ['owner', 'tada'],
      ['member2', 'tada'],
      ['member', '+1'],
    ],
  ],
  [
    'member',
    '@**Mia Member** with this it takes **48 seconds** on a copy of the data. I would merge it before the release.',
  ],
  [
    'member2',
    'Please do! I will watch tonight’s run and write the numbers into #**releases**.',
    [
      ['member', 'heart'],
      ['owner', '+1'],
    ],
  ],
  ['admin', 'Nice find. Shall we keep the slow query as a test?'],
];

/** Unread messages elsewhere, for the counts beside channels and people. */
const ELSEWHERE: readonly (readonly [who: Person, channel: string, topic: string, text: string])[] = [
  ['owner', 'engineering', 'flaky tests', 'Two failures since Monday, both in the browser.'],
  ['moderator', 'engineering', 'flaky tests', 'The second one is a clock that was not moved.'],
  ['admin', 'releases', 'October', 'Notes are ready to read.'],
  ['member2', 'releases', 'October', '@**Max Member** could you read the part about imports?'],
  ['owner', 'support', 'export to a spreadsheet', 'Asked for the third time this month.'],
  ['moderator', 'support', 'umlauts in file names', 'Solved with the new version.'],
];
const TOPIC = 'slow import';

/** Creates the channels and sends all messages; returns the ID of the channel in the pictures. */
async function furnish(demo: DemoPages): Promise<number> {
  const names = ['owner', 'admin', 'moderator', 'member2', 'member', 'guest'];
  const principals = names.map((name) => `${name}@roost.test`);
  const subscriptions = JSON.stringify(CHANNELS.map(([name, description]) => ({ name, description })));
  const made = await demo.call('owner', 'POST', '/users/me/subscriptions', { subscriptions, principals });
  if (made['result'] !== 'success') throw new Error(String(made['msg']));
  // Marks the demo's first messages read, so that the counts are those of the messages sent here.
  await demo.call('member', 'POST', '/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: '[]',
    op: 'add',
    flag: 'read',
  });
  const idOf = async (stream: string) =>
    Number((await demo.call('owner', 'GET', '/get_stream_id', { stream }))['stream_id']);
  for (const [who, channel, topic, text] of ELSEWHERE) await demo.send(who, await idOf(channel), topic, text);
  const engineering = await idOf('engineering');
  const said: number[] = [];
  for (const [who, text, reactions = []] of TALK) {
    const id = await demo.send(who, engineering, TOPIC, text);
    said.push(id);
    for (const [by, emoji_name] of reactions) await demo.call(by, 'POST', `/messages/${id}/reactions`, { emoji_name });
  }
  await demo.call('member2', 'POST', '/messages', {
    type: 'direct',
    to: JSON.stringify(['member@roost.test']),
    content: 'Lunch at half past twelve?',
  });
  // Marks the messages read, so that the light and the dark picture show the same.
  await demo.call('member', 'POST', '/messages/flags', { messages: said, op: 'add', flag: 'read' });
  return engineering;
}

async function take(demo: DemoPages, picture: (typeof PICTURES)[number], topic: string): Promise<void> {
  const page = await demo.logIn('member', { colorScheme: picture.colorScheme });
  await page.setViewportSize(picture.size);
  // Hides the question of the first visit.
  await page.evaluate("localStorage.setItem('roost-asked-for-notifications', '1')");
  await page.goto(`${demo.server.url}/${'route' in picture ? picture.route : topic}`);
  await page.reload();
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: `${FOLDER}${picture.name}.png` });
}

mkdirSync(FOLDER, { recursive: true });
const demo = await DemoPages.open('sqlite', { ROOST_RATE_LIMITS: 'off' });
try {
  const topic = `#narrow/channel/${await furnish(demo)}-engineering/topic/${TOPIC.replace(' ', '.20')}`;
  for (const picture of PICTURES) await take(demo, picture, topic);
} finally {
  await demo.close();
}
