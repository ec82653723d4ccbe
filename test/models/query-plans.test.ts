import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMessages } from '#features/messages';
import { asId, type MessageId } from '#kernel/ids';
import { type ReadTx, sql } from '#kernel/store';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Statements of hot paths, and the index each must go by in the embedded database, however few rows there are. */
const PLANS = [
  [
    'users by ID',
    'select * from "user" where realm_id = 1 and id in (select value from json_each(\'[1]\'))',
    'PRIMARY KEY',
  ],
  ['users by name', 'select id from "user" where realm_id = 1 and lower(full_name) in (\'max\')', 'user_lower_name'],
  [
    'a topic',
    "select id from message where realm_id = 1 and recipient_id = 1 and topic_key = 'a'",
    'recipient_id=? AND topic_key=?',
  ],
  [
    'a subscription',
    'select * from subscription where realm_id = 1 and user_id = 1 and channel_id = 1',
    'user_id=? AND channel_id=?',
  ],
  ['a channel by name', "select * from channel where realm_id = 1 and name_key in ('a')", 'realm_id=? AND name_key=?'],
  [
    'a page of a channel',
    'select id from message where +realm_id = 1 and recipient_id = 1 and id <= 9 order by id desc limit 100',
    'message_recipient_id',
  ],
  [
    'the first message of each of some channels',
    `update channel set first_message_id = (select min(message.id) from message where message.realm_id = 1
      and message.recipient_id = channel.recipient_id) where realm_id = 1 and id in (select value from json_each('[1]'))`,
    'message_recipient_id_id_topic',
  ],
  [
    'the newest mentions of everybody in a conversation',
    `select id from message where realm_id = 1 and recipient_id = 1 and mentions_channel and id <= 9
      order by id desc limit 13`,
    'message_of_everybody',
  ],
  [
    'the newest messages that mention a user',
    `select message_id from message_flag where user_id = 1 and flag = case 1 when 1 then 'mentioned' else '' end
      and message_id <= 9 order by message_id desc limit 13`,
    'user_id=? AND flag=? AND message_id<?',
  ],
  [
    'the newest messages with a word, in order,',
    `select hit.id from (select rowid as id from message_search where message_search match '"a"') hit
      join message on message.id = hit.id where +message.realm_id = 1 and hit.id <= 9 order by hit.id desc limit 100`,
    'message_search VIRTUAL TABLE',
  ],
  [
    'what a user marked',
    "select message_id from message_flag where user_id = 1 and flag in ('starred')",
    'user_id=? AND flag=?',
  ],
  [
    'who has read a message',
    'select user_id from read_interval where realm_id = 1 and recipient_id = 1 and last_id >= 9 and first_id <= 9',
    'recipient_id=? AND last_id>?',
  ],
  [
    'who wants to hear of a channel',
    'select user_id from subscription where channel_id = 1 and realm_id = 1 and (push_notifications or email_notifications)',
    'subscription_hearers',
  ],
  [
    'who wants to hear of all channels',
    `select id from "user" where realm_id = 1 and (user_settings like '%enable_stream_push_notifications%'
      or user_settings like '%enable_stream_email_notifications%')`,
    'user_hearers',
  ],
  [
    'the subscriptions of some people',
    `select "user".id from subscription join "user" on "user".id = subscription.user_id where subscription.realm_id = 1
      and subscription.channel_id = 1 and "user".id in (select value from json_each('[1]'))`,
    'user_id=? AND channel_id=?',
  ],
  [
    'what has stood on phones for longest',
    `select p.message_id, p.user_id, message.sent_at from pushed_message p left join message
      on message.id = p.message_id order by p.message_id, p.user_id limit 500`,
    'pushed_message_1',
  ],
  [
    'what a user received by deliveries',
    `select h.id from delivered_user r
      join message h on h.delivery_id = r.delivery_id and h.id >= r.first_id and h.id <= r.last_id
      where r.realm_id = 1 and r.user_id = 1 and r.last_id >= 1 and r.first_id <= 9`,
    'message_delivery (delivery_id=? AND id>? AND id<?)',
  ],
  [
    'whether a user received a message by its delivery',
    'select 1 from delivered_user r where r.delivery_id = 1 and r.user_id = 1 and r.first_id <= 9 and r.last_id >= 9',
    'delivery_id=? AND user_id=? AND first_id<?',
  ],
  [
    'the next rows of some deliveries',
    `select delivery_id from delivered_user where realm_id = 1 and delivery_id in (select value from json_each('[1]'))
      and (delivery_id, user_id, first_id) > (1, 2, 3) order by delivery_id, user_id, first_id limit 9`,
    'delivery_id=?',
  ],
  [
    'deliveries without messages',
    `select d.id from delivery d where d.realm_id = 1 and d.id in (select value from json_each('[1]'))
      and not exists (select 1 from message m where m.delivery_id = d.id)`,
    'message_delivery',
  ],
] as const;

describe('plans of the embedded database', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('sqlite');
  });
  afterAll(() => world.close());

  it.each(PLANS)('find %s by its index', async (_name, statement, index) => {
    const plan = await world.server.context.store.query(async (tx) => {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(tx.db);
      return rows.map((row) => row.detail).join('\n');
    });
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
    expect(plan).not.toMatch(/^SCAN (user|message|subscription|channel)\b/m);
  });

  it('follow statistics that are the same on every server', async () => {
    const statistics = () =>
      world.server.context.store.query(async (tx) => {
        const { rows } = await sql<{ idx: string; stat: string }>`select idx, stat from sqlite_stat1`.execute(tx.db);
        return new Map(rows.map((row) => [row.idx, row.stat]));
      });
    expect((await statistics()).get('message_recipient_id_topic_key_id')).toBe('1000000 1000 10 1');
  });
});

describe.runIf(databases.includes('postgres'))(
  'plans of PostgreSQL, which has not heard of how many messages there are,',
  () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld('postgres');
      // Another test may have had the database before, and then it has heard.
      await world.server.context.store.write((tx) => sql`truncate message cascade`.execute(tx.db));
    });
    afterAll(() => world.close());

    it('find messages by their IDs, not among all of the organization', async () => {
      const { server, realm } = world;
      const plan = await server.context.store.of(realm.id).query(async (tx) => {
        let plan = '';
        const execute: ReadTx['execute'] = async (statement) => {
          const { rows } = await tx.execute<object>({ ...statement, sql: `explain ${statement.sql}` });
          plan = rows.flatMap((row) => Object.values(row)).join('\n');
          return { rows: [] };
        };
        await findMessages(
          { ...tx, execute },
          [1, 2, 3].map((id) => asId<MessageId>(id)),
        );
        return plan;
      });
      expect(plan).toContain('Index Cond');
      expect(plan).not.toMatch(/Filter: .*\bid = ANY/);
    });
  },
);
