import { ADDITIONS, fillAdditions } from '../hostile/additions.ts';
import { ASKING } from '../hostile/asking.ts';
import { answerTo, asking, type Attack, type Scene } from '../hostile/attack.ts';
import { BODIES } from '../hostile/bodies.ts';
import { CROWDS } from '../hostile/crowds.ts';
import { DIRECTORIES, MANY } from '../hostile/directories.ts';
import { LOGINS, samlIn } from '../hostile/logins.ts';
import { MAILS } from '../hostile/mails.ts';
import { PICTURES } from '../hostile/pictures.ts';
import { PREVIEWS } from '../hostile/previews.ts';
import { SERVICES } from '../hostile/services.ts';
import { TEXTS } from '../hostile/texts.ts';
import { freePort, loopSeconds, residentMib } from '../support/child.ts';
import { Connection, request } from '../support/connection.ts';
import { fillMessages, fillPresences, fillTopics, openPrepared } from '../support/history.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

/** Has as many people as the largest request names. */
const SIZE = { users: MANY + 20, channels: 20, subscribers: 100 };
const MESSAGES = 20_000;
/** Messages of the longest topic. */
const LONG = 100_000;
/** Longest time for which a request may block everybody else, in milliseconds. */
const BAR_MS = 50;
const ROUNDS = 5;
/** Part of the names of the attacks to try; all by default. */
const ONLY = process.env['BENCH_ONLY'] ?? '';

const ATTACKS: readonly Attack[] = [
  ...ASKING,
  ...TEXTS,
  ...BODIES,
  ...PICTURES,
  ...LOGINS,
  ...DIRECTORIES,
  ...SERVICES,
  ...MAILS,
  ...PREVIEWS,
  ...ADDITIONS,
  ...CROWDS,
];

/**
 * The longest time for which a request blocks the event loop, of requests by unauthenticated callers and by members;
 * docs/security.md.
 */
export async function benchHostile(): Promise<void> {
  if (POSTGRES_URL === undefined) return tryAll(undefined);
  const { url, remove } = await makePostgres(POSTGRES_URL);
  await tryAll(url);
  await remove();
}

/** Tries all attacks on the database at `url`, or on the embedded one. */
async function tryAll(url: string | undefined): Promise<void> {
  const { folder, accounts, remove } = await prepare(SIZE, url);
  const [owner] = accounts;
  if (!owner) throw new Error('nobody was made');
  const store = await openPrepared(folder, url);
  await fillMessages(store, owner.id, { ...SIZE, first: 1, last: MESSAGES });
  await fillTopics(store, { last: MESSAGES, topics: 10_000, count: LONG });
  await fillPresences(store);
  await fillAdditions(store, owner.id);
  await store.close();
  const mailPort = await freePort();
  const server = await startRoost(folder, {
    ...databaseOf(url),
    ...samlIn(folder),
    ROOST_MAIL_IN_URL: `smtp://127.0.0.1:${mailPort}`,
    ROOST_MAIL_IN_ADDRESS: '*@in.bench.test',
    ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8',
  });
  const other = await Connection.open(server.port);
  for (let n = 0; n < 200; n++) await other.send(POLL);
  const scene = { server, owner, mailPort, ask: asking(server.port, owner) };
  const worst: Worst[] = [];
  for (const attack of ATTACKS) worst.push(await worstOf(attack, scene, other));
  show(worst);
  report('hostile', 'memory at the end', `${residentMib(server.pid).toFixed(0)} MiB`);
  other.close();
  await server.stop();
  remove();
}

/** The request that another caller makes meanwhile. */
const POLL = request(undefined, 'GET', '/server_settings');

interface Worst {
  readonly name: string;
  /** Milliseconds for which the event loop was blocked at most, and of the whole attack. */
  readonly ms: number;
  readonly wholeMs: number;
  /** The last answer. */
  readonly answer: string;
}

/** Measures an attack several times and keeps the shortest result, because other load only adds to it. */
async function worstOf({ name, before, send }: Attack, scene: Scene, other: Connection): Promise<Worst> {
  // All attacks are prepared even where only some are tried, because later ones may depend on it.
  await before?.(scene);
  let [ms, wholeMs, answer] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, ''];
  for (let round = 0; round < ROUNDS && name.includes(ONLY); round++) {
    const sending = send(scene, round);
    const attack = typeof sending === 'function' ? sending : () => answerTo(scene, sending);
    const [stretch, whole, said] = await stretchOf(scene, attack, other);
    ms = Math.min(ms, stretch);
    wholeMs = Math.min(wholeMs, whole);
    answer = said;
  }
  return { name, ms, wholeMs, answer };
}

/**
 * Returns the longest time, in milliseconds, for which one request blocks the event loop: the smaller of its processor
 * time and of the longest wait of another caller who keeps asking. Other load makes either too long.
 */
async function stretchOf({ server: { pid } }: Scene, attack: () => Promise<string>, other: Connection) {
  const before = loopSeconds(pid);
  const begun = performance.now();
  let answer: string | undefined;
  const attacking = attack().then(
    (said) => (answer = said),
    () => (answer = 'closed'),
  );
  let longest = 0;
  while (answer === undefined) {
    const asked = performance.now();
    await other.send(POLL);
    longest = Math.max(longest, performance.now() - asked);
  }
  const said = await attacking;
  return [Math.min(longest, (loopSeconds(pid) - before) * 1000), performance.now() - begun, said] as const;
}

function show(worst: readonly Worst[]): void {
  const tried = worst.filter(({ answer }) => answer !== '').toSorted((a, b) => b.ms - a.ms);
  const isMarkdown = ({ name }: Worst) => name.startsWith('Markdown');
  const shown = [...tried.filter((one) => !isMarkdown(one)), ...tried.filter(isMarkdown).slice(0, 5)];
  for (const { name, ms, wholeMs, answer } of shown)
    report(
      'hostile',
      `${name} (bar ${BAR_MS})`,
      `${ms.toFixed(1)} ms, ${wholeMs.toFixed(0)} in all (${answer.trim()})`,
    );
}
