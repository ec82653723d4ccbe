import { type ReadTx, sql, type Store } from '#kernel/store';
import { Connection, request } from '../support/connection.ts';
import { fillMessages, openPrepared } from '../support/history.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

const SIZE = { users: 2000, channels: 500, subscribers: 100 };
/** Numbers of messages in the organization; `BENCH_MESSAGES` limits them. */
const SCALES = [10_000, 100_000, 1_000_000].filter(
  (count) => count <= Number(process.env['BENCH_MESSAGES'] ?? 1_000_000),
);
/** Measured rounds, after as many for warming up. */
const ROUNDS = 40;
const PAGE = 100;

/** A fetch, and the best single query for the same rows. */
interface Fetch {
  readonly what: string;
  readonly narrow: readonly (readonly [string, unknown])[];
  readonly anchor?: string;
  readonly floor: (tx: ReadTx, place: Place) => Promise<readonly unknown[]>;
}

interface Place {
  readonly reader: number;
  readonly channel: { readonly id: number; readonly name: string; readonly recipient_id: number };
}

const newest = (where: ReturnType<typeof sql>) =>
  sql<object>`select * from message where ${where} order by id desc limit ${PAGE}`;
const run = async (tx: ReadTx, query: ReturnType<typeof sql<object>>) => (await query.execute(tx.db)).rows;
const received = ({ reader }: Place) => sql`recipient_id in (
  select c.recipient_id from subscription_period s join channel c on c.id = s.channel_id where s.user_id = ${reader}
  union all select recipient_id from direct_participant where user_id = ${reader})`;
const withWords = (tx: ReadTx, ...words: string[]) => sql`id in (${tx.dialect.search.idsWith(words)})`;
/** Mentions of the reader by name, and of everybody in messages that they received. */
const mentions = (place: Place) => sql`(id in (select message_id from message_flag
  where user_id = ${place.reader} and flag = 'mentioned') or mentions_channel and ${received(place)})`;

const FETCHES: readonly Fetch[] = [
  {
    what: 'a topic',
    narrow: [
      ['channel', ''],
      ['topic', 'topic 3'],
    ],
    floor: (tx, { channel }) => run(tx, newest(sql`recipient_id = ${channel.recipient_id} and topic_key = 'topic 3'`)),
  },
  {
    what: 'a channel',
    narrow: [['channel', '']],
    floor: (tx, { channel }) => run(tx, newest(sql`recipient_id = ${channel.recipient_id}`)),
  },
  {
    what: 'direct messages',
    narrow: [['is', 'dm']],
    floor: (tx, { reader }) =>
      run(tx, newest(sql`recipient_id in (select recipient_id from direct_participant where user_id = ${reader})`)),
  },
  {
    what: 'mentions',
    narrow: [['is', 'mentioned']],
    floor: (tx, place) => run(tx, newest(mentions(place))),
  },
  { what: 'everything received', narrow: [], floor: (tx, place) => run(tx, newest(received(place))) },
  {
    what: 'from the first unread',
    narrow: [],
    anchor: 'first_unread',
    floor: (tx, place) => run(tx, newest(received(place))),
  },
  {
    what: 'search: a rare word',
    narrow: [['search', 'heron']],
    floor: (tx, place) => run(tx, newest(sql`${withWords(tx, 'heron')} and ${received(place)}`)),
  },
  {
    what: 'search: a phrase',
    narrow: [['search', '"grey heron"']],
    floor: (tx, place) => run(tx, newest(sql`${withWords(tx, 'grey', 'heron')} and ${received(place)}`)),
  },
  {
    what: 'search: a word of every message',
    narrow: [['search', 'text']],
    floor: (tx, place) => run(tx, newest(sql`${withWords(tx, 'text')} and ${received(place)}`)),
  },
  {
    what: 'search in a channel',
    narrow: [
      ['channel', ''],
      ['search', 'w42'],
    ],
    floor: (tx, { channel }) =>
      run(tx, newest(sql`${withWords(tx, 'w42')} and recipient_id = ${channel.recipient_id}`)),
  },
  {
    what: 'a sender',
    narrow: [['sender', 50]],
    floor: (tx, place) => run(tx, newest(sql`sender_id = 50 and ${received(place)}`)),
  },
];

/** B10: pages of narrows and searches, and registering with unread messages, as an organization grows. */
export async function b10(): Promise<void> {
  const database = POSTGRES_URL === undefined ? undefined : await makePostgres(POSTGRES_URL);
  await growing(database?.url);
  await database?.remove();
}

async function growing(databaseUrl: string | undefined): Promise<void> {
  const { folder, accounts, remove } = await prepare(SIZE, databaseUrl);
  const account = accounts[1];
  if (!account) throw new Error('there is nobody to read');
  let done = 0;
  for (const count of SCALES) {
    const store = await openPrepared(folder, databaseUrl);
    await fillMessages(store, account.id, { ...SIZE, first: done + 1, last: count });
    done = count;
    const place = await placeOf(store, account.id);
    const server = await startRoost(folder, databaseOf(databaseUrl));
    const connection = await Connection.open(server.port);
    const bare = await timesOf(() => connection.send(request(account, 'GET', '/users/me')));
    connection.close();
    report(
      'B10',
      `${count.toLocaleString('en')} messages: a request for nothing`,
      `least ${quantile(bare, 0).toFixed(2)}, p50 ${quantile(bare, 0.5).toFixed(2)} ms`,
    );
    for (const { what, narrow, anchor = 'newest', floor } of FETCHES) {
      const terms = narrow.map(([operator, operand]) => ({
        operator,
        operand: operator === 'channel' ? place.channel.name : operand,
      }));
      const amounts = anchor === 'newest' ? { num_before: PAGE, num_after: 0 } : { num_before: 0, num_after: PAGE };
      const bytes = request(account, 'GET', '/messages', { anchor, ...amounts, narrow: terms });
      // A connection of its own: between two fetches a floor may take longer than an idle connection is kept.
      const fetching = await Connection.open(server.port);
      const own = await timesOf(() => fetching.send(bytes));
      fetching.close();
      const best = await timesOf(async () => JSON.stringify(await store.read((tx) => floor(tx, place))));
      tell(count, what, own, best);
    }
    const registering = await Connection.open(server.port);
    const unread = await timesOf(async (round) => {
      // A changed flag invalidates the cached state.
      const op = round % 2 === 0 ? 'add' : 'remove';
      await registering.send(request(account, 'POST', '/messages/flags', { messages: [50], op, flag: 'starred' }));
      const started = performance.now();
      const fetch_event_types = ['message', 'update_message_flags'];
      await registering.send(request(account, 'POST', '/register', { fetch_event_types, event_types: ['realm'] }));
      return performance.now() - started;
    });
    const best = await timesOf(async () => JSON.stringify(await store.read((tx) => floorOfUnread(tx, place))));
    tell(count, 'register with all of it unread', unread, best);
    registering.close();
    await server.stop();
    await store.close();
  }
  remove();
}

async function placeOf(store: Store, reader: number): Promise<Place> {
  const { rows } = await store.read((tx) =>
    sql<Place['channel']>`select c.id, c.name, c.recipient_id from channel c join subscription_period s
      on s.channel_id = c.id where s.user_id = ${reader} order by c.id limit 1`.execute(tx.db),
  );
  const [channel] = rows;
  if (!channel) throw new Error('the reader is in no channel');
  return { reader, channel };
}

const floorOfUnread = async (tx: ReadTx, place: Place) =>
  (
    await sql<object>`select id, recipient_id, topic from message where ${received(place)}
      order by id desc limit 50000`.execute(tx.db)
  ).rows;

/** Returns the milliseconds of each round, or the result of a round that measures itself. */
async function timesOf(once: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const started = performance.now();
    const own = await once(round);
    times.push(typeof own === 'number' ? own : performance.now() - started);
  }
  return times.slice(ROUNDS);
}

/** Reports the least time, which is that of the work alone, and quantiles, which include other load on the machine. */
function tell(count: number, what: string, own: readonly number[], best: readonly number[]): void {
  const [least, p50, p99] = [0, 0.5, 0.99].map((part) => quantile(own, part).toFixed(2));
  const floor = quantile(best, 0);
  const figures = `least ${least}, p50 ${p50}, p99 ${p99} ms`;
  const beside = `floor least ${floor.toFixed(2)}, p50 ${quantile(best, 0.5).toFixed(2)} ms`;
  report(
    'B10',
    `${count.toLocaleString('en')} messages: ${what}`,
    `${figures}; ${beside} (${(quantile(own, 0) / floor).toFixed(1)}x)`,
  );
}
