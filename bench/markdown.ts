import MarkdownIt from 'markdown-it';
import { asId } from '#kernel/ids';
import { compileLinkifiers, type MarkdownWorld, renderMarkdown } from '#kernel/markdown';
import { printCode } from './markdown-code.ts';
import { printRequests } from './markdown-requests.ts';
import { printWorst } from './markdown-worst.ts';
import { quantile } from './support/statistics.ts';

const world: MarkdownWorld = {
  realm: {
    url: 'https://chat.example.com',
    emoji: new Map([['roost', { source_url: '/user_avatars/2/emoji/images/1.png' }]]),
    linkifiers: compileLinkifiers([]),
    defaultCodeLanguage: '',
    mediaProxy: null,
  },
  users: [{ user_id: asId(4), full_name: 'Max Member', is_active: true }],
  groups: [{ id: asId(21), name: 'support', is_system_group: false, deactivated: false }],
  channels: [{ stream_id: asId(9), name: 'general' }],
  topics: [],
  uploads: [],
  alertWords: null,
  websites: new Map(),
  imagePreviews: true,
  websitePreviews: false,
  translateEmoticons: false,
  fromMail: false,
};

/** Typical messages: mostly a line or two, sometimes a list, a quotation or code. */
const messages = [
  'Kettle is on, tea in five.',
  'I looked at the **failing build** again: it only happens when the cache is cold. Will write a test for it this afternoon.',
  '@**Max Member** could you have a look at https://example.com/reports/42?tab=1 before lunch? :thumbs_up:',
  'Steps to see it:\n1. open the settings\n2. switch to *dark*\n3. come back\n\nThe header stays white, see #**general>dark mode**.',
  '> Shall we move the release to Thursday?\n\nFine with me, `main` is green since this morning and nobody is away.',
  'Try this:\n```\ngit fetch\ngit rebase origin/main\n```\nand tell me whether it still complains about the lock file.',
  'Agenda for today:\n- numbers of last week (Mia)\n- the new offer for schools, who writes the first draft?\n- holidays\n\nAnything else?',
  'No, it is [in the handbook](https://example.com/handbook/travel), chapter 3. The short version: book early, ask @*support* for the card, keep every bill.',
];

/**
 * Prints how many typical messages are rendered per second, compared with bare markdown-it, and the cost of the worst
 * texts of 10,000 characters.
 */
export async function benchMarkdown(): Promise<void> {
  const bare = new MarkdownIt({ breaks: true });
  const floors: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    floors.push(await perSecond((text) => bare.render(text)));
    ours.push(await perSecond((text) => renderMarkdown(text, world)));
  }
  floors.splice(0, WARM_UP_ROUNDS);
  ours.splice(0, WARM_UP_ROUNDS);
  const [floor, own] = [quantile(floors, 0.5), quantile(ours, 0.5)];
  const share = Math.round((100 * own) / floor);
  console.log(`markdown: ${whole(own)} typical messages/s, bare markdown-it ${whole(floor)}/s (${share}%; bar 40%)`);
  await printWorst(world, messages);
  await printRequests();
  await printCode(world);
  await printLinkifiers();
}

/** Prints what 50 linkifiers add to a message, and the cost of hostile patterns with hostile texts. */
async function printLinkifiers(): Promise<void> {
  const sources = Array.from({ length: 50 }, (_, index) => ({
    pattern: `${PREFIXES[index % PREFIXES.length]}${index}-(?P<id>[0-9]{1,8})`,
    url_template: `https://tracker.example.com/${index}/{id}`,
  }));
  const text = `${messages.join(' ').slice(0, 260)} see BUG7-12, TASK23-400 and PR48-9.`;
  const [without, withAll] = [await milliseconds(text), await milliseconds(text, compileLinkifiers(sources))];
  const added = (withAll - without).toFixed(3);
  console.log(`50 linkifiers on a message of ${text.length} characters, 3 matches: +${added} ms (bar 1 ms)`);
  for (const pattern of ['(a+)+$', '(a|aa)+b', '(.*)*x', '([a-z]+)*1']) {
    const evil = compileLinkifiers([{ pattern, url_template: 'https://x.example' }]);
    console.log(
      `  ${pattern} on ${whole(LENGTH)} letters: ${(await milliseconds('a'.repeat(LENGTH), evil)).toFixed(2)} ms`,
    );
  }
}

const PREFIXES = ['BUG', 'TASK', '#', 'PR', 'RFC'];
const WARM_UP_ROUNDS = 5;
const ROUNDS = 11;
const ROUND_MS = 200;
const LENGTH = 10_000;
const TRIES = 60;

/** Returns messages per second of processor time, garbage collection included, so that other load does not count. */
async function perSecond(render: (text: string) => unknown): Promise<number> {
  const start = process.cpuUsage();
  let done = 0;
  let spent = 0;
  while (spent < ROUND_MS * 1000) {
    for (const text of messages) await render(text);
    done += messages.length;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return (done * 1_000_000) / spent;
}

function milliseconds(text: string, linkifiers = compileLinkifiers([])): Promise<number> {
  const realm = world.realm && { ...world.realm, linkifiers };
  return quickest(async () => void (await renderMarkdown(text, { ...world, realm })));
}

/** Returns the time of the fastest of many renderings, in milliseconds: the cost of the work without other load. */
async function quickest(render: () => void | Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const start = performance.now();
    await render();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
