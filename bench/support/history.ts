import { join } from 'node:path';
import { systemClock } from '#kernel/clock';
import type { MessageId } from '#kernel/ids';
import { openStore, sql, type Store } from '#kernel/store';
import { indexMessages } from '#features/messages';

/** Number of direct conversations of the reader, each with one other person. */
const CONVERSATIONS = 20;
/**
 * Intervals, in messages, of direct ones, of mentions of the reader and of everybody, and of the rare word and phrase.
 */
const EVERY = { direct: 50, mention: 1000, everybody: 20, word: 1000, phrase: 10_000 };

/** Opens the database of a prepared organization: that of the URL, or the embedded one in its folder. */
export function openPrepared(folder: string, url?: string): Promise<Store> {
  return openStore({ url, file: join(folder, 'roost.sqlite3'), clock: systemClock });
}

/**
 * Fills a prepared organization with messages from `first` to `last`: spread over its channels with ten topics each,
 * and over direct conversations of the reader, who has read none.
 */
export async function fillMessages(
  store: Store,
  reader: number,
  { channels, users, first, last }: { channels: number; users: number; first: number; last: number },
): Promise<void> {
  if (first === 1) await addConversations(store, reader);
  const STEP = 50_000;
  for (let from = first; from <= last; from += STEP) {
    const to = Math.min(from + STEP - 1, last);
    await store.write(async (tx) => {
      await sql`
        with recursive n (id) as (select cast(${sql.lit(from)} as bigint) union all select id + 1 from n where id < ${sql.lit(to)}),
        place as (
          select n.id, (n.id + n.id / ${sql.lit(channels)}) % ${sql.lit(EVERY.direct)} = 0 as is_direct, 1 + (n.id * 7919) % ${sql.lit(channels)} as channel_id,
            'topic ' || ((n.id / ${sql.lit(channels)}) % 10) as topic from n)
        insert into message (id, realm_id, sender_id, recipient_id, channel_id, topic, topic_key, content,
          rendered_content, sent_at, client, is_me_message, has_attachment, has_image, has_link, mentions_channel,
          mentions_groups, topic_links)
        select p.id, 1, (select min(u.id) from "user" u where u.realm_id = 1 and u.full_name like 'User Number%') + p.id % ${sql.lit(users - 1)},
          case when is_direct then 1000000 + p.id / ${sql.lit(EVERY.direct)} % ${sql.lit(CONVERSATIONS)} else c.recipient_id end,
          case when is_direct then null else c.id end, case when is_direct then '' else p.topic end,
          case when is_direct then '' else p.topic end, ${content()}, '<p>' || ${content()} || '</p>',
          1700000000 + p.id, 'website', false, false, false, false, (p.id + p.id / ${sql.lit(channels)}) % ${sql.lit(EVERY.everybody)} = 3, false, '[]'
        from place p join channel c on c.id = (select min(id) from channel) - 1 + p.channel_id`.execute(tx.db);
      const { rows } = await sql<{ id: MessageId; content: string; topic: string }>`select id, content, topic
        from message where id between ${from} and ${to}`.execute(tx.db);
      indexMessages(tx, rows);
      await sql`insert into message_flag (realm_id, user_id, flag, message_id)
        select 1, ${sql.lit(reader)}, 'mentioned', id from message where id between ${sql.lit(from)} and ${sql.lit(to)}
          and (id + id / ${sql.lit(channels)}) % ${sql.lit(EVERY.mention)} = 0`.execute(tx.db);
    });
  }
  if (store.dialect.name !== 'postgres') return;
  // The IDs were not taken from the sequence, which later messages use.
  await store.write((tx) => sql`select setval('message_id_seq', ${sql.lit(last)})`.execute(tx.db));
  // A server's database does that by itself within a minute.
  await store.write((tx) => sql`analyze`.execute(tx.db));
}

/**
 * Adds messages after `last`: one in each of `topics` topics of the second channel, and `count` in the topic `long` of
 * the third.
 */
export async function fillTopics(
  store: Store,
  { last, topics, count }: { readonly last: number; readonly topics: number; readonly count: number },
): Promise<void> {
  const columns = sql`id, realm_id, sender_id, recipient_id, channel_id, topic, topic_key, content, rendered_content,
    sent_at, client, is_me_message, has_attachment, has_image, has_link, mentions_channel, mentions_groups, topic_links`;
  const rest = sql`'heron', '<p>heron</p>', 1700000000 + n.id, 'website', false, false, false, false, false, false, '[]'`;
  await store.write(async ({ db }) => {
    const add = (channel: number, topic: string, from: number, many: number) =>
      sql`with recursive n (id) as (select cast(${sql.lit(from + 1)} as bigint) union all select id + 1 from n where id < ${sql.lit(from + many)})
        insert into message (${columns}) select n.id, 1, (select min(id) from "user" where realm_id = 1), c.recipient_id, c.id,
          ${sql.raw(topic)}, ${sql.raw(topic)}, ${rest}
        from n join channel c on c.id = (select min(id) from channel) + ${sql.lit(channel)}`.execute(db);
    await add(1, "'small ' || n.id", last, topics);
    await add(2, "'long'", last + topics, count);
    if (store.dialect.name === 'postgres')
      await sql`select setval('message_id_seq', ${sql.lit(last + topics + count)})`.execute(db);
  });
}

/** Gives everybody a presence of now. */
export async function fillPresences(store: Store): Promise<void> {
  await store.write(async ({ db, now }) => {
    await sql`insert into presence (realm_id, user_id, last_active_at, last_connected_at, update_id)
      select realm_id, id, ${sql.lit(now)}, ${sql.lit(now)}, row_number() over (order by id) from "user" where not is_bot
      on conflict do nothing`.execute(db);
    await sql`insert into presence_counter (realm_id, newest_update_id)
      select realm_id, max(update_id) from presence group by realm_id
      on conflict (realm_id) do update set newest_update_id = excluded.newest_update_id`.execute(db);
  });
}

function content() {
  return sql`'w' || (p.id * 31 % 4999) || ' w' || (p.id * 17 % 3001) || ' w' || (p.id * 13 % 997) || ' w' || (p.id % 101)
    || ' the same text'
    || case when (p.id + p.id / 500) % ${sql.lit(EVERY.phrase)} = 7 then ' grey heron' when (p.id + p.id / 500) % ${sql.lit(EVERY.word)} = 7 then ' heron' else '' end`;
}

async function addConversations(store: Store, reader: number): Promise<void> {
  await store.write(async (tx) => {
    for (let index = 0; index < CONVERSATIONS; index++) {
      const other = reader + 1 + index;
      const id = 1_000_000 + index;
      await sql`insert into recipient (id, realm_id, channel_id, participants_key)
        values (${id}, 1, null, ${`${reader},${other}`})`.execute(tx.db);
      for (const user of [reader, other])
        await sql`insert into direct_participant (realm_id, recipient_id, user_id) values (1, ${id}, ${user})`.execute(
          tx.db,
        );
    }
  });
}
