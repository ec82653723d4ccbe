import sharp from 'sharp';
import { call, demoAccount, type ServerProcess } from './process.ts';

/** Names that challenge a layout: long, written from right to left, or in scripts without case. */
const PEOPLE = [
  'Maximiliana Featherstonehaugh-Cholmondeley von und zu Hohenlohe-Langenburg',
  'ليلى الزهراء بنت عبد الرحمن',
  'שרה לוי־כהן',
  '山田 太郎',
  'Łukasz Żółć',
  'Ngozi Okonkwo',
  'Bo',
] as const;
const CHANNELS = [
  ['engineering', 'How it is built.\nA second line, which heads leave out.'],
  ['releases and long-term maintenance of everything', 'Everything that is released, and all that belongs to it'],
  ['القناة العامة', 'قناة للجميع، مع وصف طويل بما يكفي'],
  ['support', ''],
  ['Donaudampfschifffahrtsgesellschaftskapitänsmützenabz', 'One word'],
] as const;
const LONG_TOPIC = 'The very long topic name that somebody has typed in a hurry';

const WORDS = 'The lift is broken again, so take the stairs. Mia asked for a new one; nobody has answered yet. ';
const LINES = Array.from({ length: 40 }, (_, line) => `Line ${line + 1} of a message that is long.`).join('\n');
type Person = 'owner' | 'moderator' | 'member2' | 'member' | 'admin';

/** Messages with every kind of content, in the order in which they are sent. */
const TEXTS: readonly (readonly [who: Person, text: string])[] = [
  ['member2', LINES],
  ['member', WORDS.repeat(6)],
  ['member2', 'First.\n\nSecond, with **bold**, *italic*, ~~struck~~, `code` and [a link](https://example.com/).'],
  ['member2', 'Right after the first, so without a head.'],
  [
    'moderator',
    '> Somebody said this\n> on two lines\n\nand I answer: @**Max Member** @*design crew and everybody who helps them* #**design** #**design>logo**',
  ],
  [
    'owner',
    '```python\nclass Rook:\n    """A bird of the family Corvidae."""\n    def caw(self, times: int = 1) -> str:\n        return " ".join(["caw"] * times)  # a comment that is long enough to be scrolled sideways wherever it is shown\n```',
  ],
  [
    'owner',
    'Thus:\n```math\n\\int_{0}^{1} \\frac{x^2}{\\sqrt{1-x^2}}\\,dx = \\frac{\\pi}{4}\n```\nand $$a^2+b^2=c^2$$ in a line',
  ],
  [
    'moderator',
    '| bird | weight | what it eats, said at some length |\n|:--|--:|---|\n| rook | 490 g | worms, grain, whatever falls from tables in front of cafés |\n| wren | 9 g | spiders |',
  ],
  [
    'member2',
    '1. one\n2. two\n   * nested\n     * deeper\n3. three\n\n# A heading\n\n## A smaller one\n\n---\n\nafter the line',
  ],
  ['owner', '```spoiler What the end is\nThe bird comes home.\n```'],
  ['member', '/me looks at the sky'],
  ['member', ':tada: :+1: :heart: 👩‍🚀 🏳️‍🌈 and :rook:'],
  ['member2', ':wave:'],
  ['moderator', `Without an end: ${'abcdefghij'.repeat(30)} https://example.com/${'path/'.repeat(40)}`],
  ['owner', 'مرحبا بالعالم، هذه رسالة من اليمين إلى اليسار مع كلمة English في الوسط.'],
  ['owner', 'The meeting: <time:2026-12-01T15:00:00+01:00>, for RST-42'],
  [
    'member2',
    '/poll Which bird goes on the door?\nOn a branch\nIn flight, over the roofs of the old town, with everything else that goes with it',
  ],
  ['member2', '/todo Before the release\nWrite it down: all of it\nTell everybody'],
];

/** Addresses and IDs of what was created, for pages and tests. */
export interface Furnished {
  /** Fragment of the address of the topic with every kind of content. */
  readonly topic: string;
  /** Fragment of the address of its newest messages. */
  readonly newest: string;
  /** Fragments of addresses in its middle, with formulas, lists and a table. */
  readonly middle: readonly string[];
  /** Fragment of the address of a message that mentions a group. */
  readonly mention: string;
  readonly longTopic: string;
  readonly direct: string;
  readonly engineering: number;
  readonly group: number;
  /** ID of a private channel of the owner's. */
  readonly leadership: number;
  /** A picture file. */
  readonly picture: Buffer;
}

/** Makes calls as people of the demo organization, and caches their accounts. */
export class Furnishing {
  readonly #server: Pick<ServerProcess, 'url'>;
  readonly #accounts = new Map<Person, ReturnType<typeof demoAccount>>();

  constructor(server: Pick<ServerProcess, 'url'>) {
    this.#server = server;
  }

  account(who: Person): ReturnType<typeof demoAccount> {
    const known = this.#accounts.get(who) ?? demoAccount(this.#server, `${who}@roost.test`);
    this.#accounts.set(who, known);
    return known;
  }

  /** Calls the API as somebody; throws when it is refused. */
  async call(who: Person, method: string, path: string, fields: Readonly<Record<string, unknown>> = {}) {
    const body = await call(this.#server, await this.account(who), method, path, fields);
    if (body['result'] !== 'success') throw new Error(`${method} ${path}: ${String(body['msg'])}`);
    return body;
  }

  async upload(who: Person, path: string, name: string, bytes: Buffer) {
    const { email, api_key } = await this.account(who);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
    const response = await fetch(`${this.#server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    const body = (await response.json()) as Record<string, unknown>;
    if (body['result'] !== 'success') throw new Error(`POST ${path}: ${String(body['msg'])}`);
    return String(body['url']);
  }

  say(who: Person, to: number, topic: string, content: string) {
    return this.call(who, 'POST', '/messages', { type: 'stream', to: String(to), topic, content });
  }
}

/** A form, as bots send them. */
const QUIZ = {
  type: 'stream',
  content: 'Which bird builds the largest nests?',
  widget_content: JSON.stringify({
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'Which bird builds the largest nests?',
      choices: ['A rook', 'A bald eagle, whose nests weigh a ton and are used for many years', 'أنا لا أعرف'].map(
        (long_name, index) => ({ short_name: 'ABC'[index], long_name, reply: `answer ${'ABC'[index]}` }),
      ),
    },
  }),
};

/** Draws a hill under a sky pixel by pixel, because a vector drawing would need a decoder that is not allowed. */
function hill(width: number, height: number): Promise<Buffer> {
  const dots = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [across, down] = [x / width, y / height];
      const isHill = down > 0.65 + 0.2 * Math.sin(across * 6);
      const isSun = Math.hypot((across - 0.78) * width, (down - 0.27) * height) < height * 0.13;
      dots.set(isHill ? [47, 111, 98] : isSun ? [243, 182, 74] : [156, 199, 216], (y * width + x) * 3);
    }
  return sharp(dots, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Fills the demo organization with much of everything that it can hold; its owner may make accounts. */
export async function furnish(at: Furnishing): Promise<Furnished> {
  await at.call('owner', 'PATCH', '/realm', { enable_read_receipts: true });
  const { user_id: max } = await at.account('member');
  const { user_id: mia } = await at.account('member2');
  const { user_id: mona } = await at.account('moderator');
  const leadership = Number((await at.call('owner', 'GET', '/get_stream_id', { stream: 'leadership' }))['stream_id']);
  await at.call('owner', 'PATCH', '/realm', { moderation_request_channel_id: leadership });
  await at.call('member', 'PATCH', '/settings', { web_mark_read_on_scroll_policy: 3 });
  const people: number[] = [];
  for (const [index, full_name] of PEOPLE.entries()) {
    const person = { email: `person${index}@roost.test`, password: 'three nests in the tower', full_name };
    people.push(Number((await at.call('owner', 'POST', '/users', person))['user_id']));
  }
  const { channel_folder_id: folder } = await at.call('owner', 'POST', '/channel_folders/create', {
    name: 'Product',
    description: 'What we **make**',
  });
  for (const [index, [name, description]] of CHANNELS.entries())
    await at.call('owner', 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: [max, mia, mona, ...people],
      send_new_subscription_messages: false,
      ...(index < 2 && { folder_id: folder }),
    });
  const { stream_id } = await at.call('owner', 'GET', '/get_stream_id', { stream: 'engineering' });
  const engineering = Number(stream_id);
  await at.call('member', 'POST', '/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: 2, property: 'pin_to_top', value: true },
      { stream_id: engineering + 3, property: 'is_muted', value: true },
    ],
  });
  await at.upload('owner', '/realm/emoji/rook', 'rook.png', await hill(64, 64));
  await at.call('owner', 'POST', '/realm/filters', {
    pattern: 'RST-(?P<id>[0-9]+)',
    url_template: 'https://example.com/issues/{id}',
  });
  const playground = { pygments_language: 'Python', url_template: 'https://play.example.com/{code}' };
  await at.call('owner', 'POST', '/realm/playgrounds', { name: 'The Python play place', ...playground });
  const fields = [
    { name: 'Pronouns', field_type: 8 },
    { name: 'What you do here, in a sentence or two', field_type: 2, hint: 'At most 500 characters' },
    {
      name: 'Favourite',
      field_type: 3,
      field_data: { 0: { text: 'Rook', order: '1' }, 1: { text: 'Wren', order: '2' } },
    },
    { name: 'Birthday', field_type: 4 },
    { name: 'Home page', field_type: 5 },
    { name: 'Mentor', field_type: 6 },
  ];
  const made: number[] = [];
  for (const field of fields) made.push(Number((await at.call('owner', 'POST', '/realm/profile_fields', field))['id']));
  await at.call('member2', 'PATCH', '/users/me/profile_data', {
    data: [
      { id: made[0], value: 'she/her' },
      { id: made[1], value: WORDS.repeat(3) },
      { id: made[2], value: '0' },
      { id: made[4], value: `https://example.com/${'a-long-way/'.repeat(12)}` },
    ],
  });
  await at.call('member2', 'POST', '/users/me/status', {
    status_text: 'Drawing birds, all day, until somebody stops me',
    emoji_name: 'bird',
  });
  await at.call('member', 'POST', '/users/me/status', { status_text: 'Sketching until noon' });
  const group = await at.call('owner', 'POST', '/user_groups/create', {
    name: 'design crew and everybody who helps them',
    description: 'Who draws, writes and moves things by a **pixel**',
    members: [max, mia, mona, ...people.slice(0, 3)],
  });
  await at.call('owner', 'POST', '/user_groups/create', { name: 'empty', description: '', members: [] });
  await at.call('member', 'POST', '/bots', { full_name: 'Build Bot', short_name: 'build' });
  await at.call('member', 'POST', '/bots', {
    full_name: 'A bot with a name as long as bots may have',
    short_name: 'long',
    bot_type: 3,
    payload_url: 'https://hooks.example.com/roost',
  });
  await at.call('member', 'POST', '/bots', { full_name: 'Alarms', short_name: 'alarms', bot_type: 2 });
  await at.call('owner', 'POST', '/realm/domains', { domain: 'roost.test', allow_subdomains: true });
  await at.call('owner', 'POST', '/invites', { invitee_emails: 'nina@example.com', stream_ids: [] });
  await at.call('owner', 'POST', '/invites/multiuse', {});
  await at.call('member', 'POST', '/users/me/alert_words', { alert_words: ['rook', 'a phrase of several words'] });
  await at.call('member', 'POST', `/users/me/muted_users/${people[6]}`);

  const ids: number[] = [];
  for (const [who, text] of TEXTS) ids.push(Number((await at.say(who, engineering, 'Everything', text))['id']));
  await at.call('member2', 'POST', '/messages', { ...QUIZ, to: String(engineering), topic: 'Everything' });
  const picture = await at.upload('member2', '/user_uploads', 'a hill.png', await hill(1200, 800));
  const tall = await at.upload('member2', '/user_uploads', 'tall.png', await hill(300, 1400));
  const file = await at.upload(
    'member2',
    '/user_uploads',
    'The figures of the third quarter, as they were presented.pdf',
    Buffer.from('%PDF-1.4 none'),
  );
  const files = `A hill, twice: [a hill.png](${picture}) [tall.png](${tall}) and [The figures.pdf](${file})`;
  const { id: pictures } = await at.say('member2', engineering, 'Everything', files);
  const { id: edited } = await at.say('member2', engineering, 'Everything', 'This was written, in haste.');
  await at.call('member2', 'PATCH', `/messages/${String(edited)}`, { content: 'This was written at **leisure**.' });
  for (const [who, emoji_name] of [
    ['owner', 'tada'],
    ['member', 'tada'],
    ['moderator', 'heart'],
    ['admin', 'heart'],
    ['owner', 'heart'],
    ['member', 'heart'],
    ['member', 'rook'],
  ] as const)
    await at.call(who, 'POST', `/messages/${String(edited)}/reactions`, { emoji_name }).catch(() => undefined);
  const { id: asked } = await at.say('moderator', engineering, 'Everything', '@**Max Member** could you have a look?');
  await at.call('member', 'POST', '/messages/flags', { messages: [edited, pictures], op: 'add', flag: 'starred' });
  await at.say('member', engineering, 'Everything', 'I could. And this is mine, so it can be edited.');
  for (let topic = 0; topic < 14; topic++)
    await at.say('owner', engineering, `Topic number ${topic + 1}`, `About the ${topic + 1}th thing. ${WORDS}`);
  await at.say('moderator', engineering + 1, LONG_TOPIC, 'I shortened it, but only in my head.');
  await at.say('owner', engineering + 2, 'موضوع باللغة العربية', 'أهلا وسهلا بكم جميعا');
  await at.say('owner', engineering + 3, 'Muted anyway', 'Nobody hears this.');
  await at.say('owner', engineering, '', 'Without a topic.').catch(() => undefined);
  await at.call('member', 'POST', '/user_topics', {
    stream_id: engineering,
    topic: 'Everything',
    visibility_policy: 3,
  });
  await at.call('member', 'POST', '/user_topics', {
    stream_id: engineering,
    topic: 'Topic number 3',
    visibility_policy: 1,
  });
  const { id: resolved } = await at.say('member2', engineering, 'Icons on a grid', 'Done.');
  await at.call('member2', 'PATCH', `/messages/${String(resolved)}`, {
    topic: '✔ Icons on a grid',
    propagate_mode: 'change_all',
  });
  await at.call('member2', 'POST', '/messages', {
    type: 'direct',
    to: [max],
    content: 'Did you see the shorter beak?',
  });
  await at.call('moderator', 'POST', '/messages', {
    type: 'direct',
    to: [max, ...people.slice(0, 4)],
    content: 'All of us?',
  });
  await at.call('member', 'POST', '/messages', { type: 'direct', to: [people[0]], content: 'Hello' });
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const place = { type: 'stream', to: engineering, topic: LONG_TOPIC };
  await at.call('member', 'POST', '/scheduled_messages', {
    ...place,
    content: WORDS,
    scheduled_delivery_timestamp: later,
  });
  await at.call('member', 'POST', '/reminders', {
    message_id: asked,
    scheduled_delivery_timestamp: later,
    note: 'Look at it',
  });
  const draft = {
    type: 'stream',
    to: [engineering + 1],
    topic: LONG_TOPIC,
    content: WORDS.repeat(2),
    timestamp: later - 90_000,
  };
  await at.call('member', 'POST', '/drafts', {
    drafts: [draft, { ...draft, topic: 'Another', content: '```python\nx = 1\n```' }],
  });
  await at.call('member', 'POST', '/saved_snippets', { title: 'Greeting', content: 'Hello, and **welcome**' });
  const slug = `#narrow/channel/${engineering}-engineering`;
  return {
    topic: `${slug}/topic/Everything`,
    middle: [6, 8, 13].map((index) => `${slug}/topic/Everything/near/${ids[index]}`),
    mention: `${slug}/topic/Everything/near/${ids[4]}`,
    newest: `${slug}/topic/Everything/near/${String(asked)}`,
    longTopic: `#narrow/channel/${engineering + 1}/topic/${encodeURIComponent(LONG_TOPIC).replaceAll('%', '.')}`,
    direct: `#narrow/dm/${people[0]}-dm`,
    engineering,
    group: Number(group['group_id']),
    leadership,
    picture: await hill(400, 300),
  };
}
