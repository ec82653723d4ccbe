import { sql, type Store } from '#kernel/store';
import { request } from '../support/connection.ts';
import type { ApiCall, Attack, Scene } from './attack.ts';

/** Parts of the poll: some fewer than a message can have, so that there is room for more votes. */
const VOTES = 9_900;
/** The emoji with which everybody has reacted to one message, from which other reactions start. */
const EMOJI: readonly (readonly [string, string])[] = [
  ['tada', '1f389'],
  ['heart', '2764'],
  ['smile', '1f642'],
  ['octopus', '1f419'],
  ['rocket', '1f680'],
];
/** Topics of messages to which much was added; those that are deleted have a number. */
const [POLL, REACTIONS, GONE] = ['poll', 'reactions', 'gone'];
const DELETED = 5;

/** Adds messages of the owner after all others, with as many votes and reactions as 10,000 people make. */
export async function fillAdditions(store: Store, owner: number): Promise<void> {
  await store.write(async ({ db, dialect }) => {
    const topics = [POLL, REACTIONS, ...Array.from({ length: DELETED }, (_none, n) => `${GONE} ${n}`)];
    for (const topic of topics)
      await sql`insert into message (realm_id, sender_id, recipient_id, channel_id, topic, topic_key, content,
          rendered_content, sent_at, client, is_me_message, has_attachment, has_image, has_link, mentions_channel,
          mentions_groups, topic_links)
        select 1, ${sql.lit(owner)}, recipient_id, id, ${sql.lit(topic)}, ${sql.lit(topic)}, '/poll a', '<p>/poll a</p>',
          1700000000, 'website', false, false, false, false, false, false, '[]' from channel where name = 'channel 3'`.execute(
        db,
      );
    const widget = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'a', options: ['b', 'c'] } });
    const vote = JSON.stringify({ type: 'vote', key: 'canned,1', vote: 1 });
    const ofTopics = (...some: string[]) =>
      sql`(select id from message where recipient_id = (select recipient_id from channel where name = 'channel 3')
        and topic in (${sql.join(some.map((topic) => sql.lit(topic)))}))`;
    const gone = topics.slice(2);
    const parts = sql`insert into submessage (realm_id, message_id, sender_id, msg_type, content)`;
    await sql`${parts} select 1, id, ${sql.lit(owner)}, 'widget', ${widget} from ${ofTopics(POLL, ...gone)} m`.execute(
      db,
    );
    await sql`${parts} select 1, m.id, u.id, 'widget', ${vote} from ${ofTopics(POLL, ...gone)} m,
      (select id from "user" where id <> ${sql.lit(owner)} order by id limit ${sql.lit(VOTES)}) u`.execute(db);
    for (const [name, code] of EMOJI)
      await sql`insert into reaction (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
        select 1, m.id, u.id, ${name}, ${code}, 'unicode_emoji' from ${ofTopics(REACTIONS, ...gone)} m,
          (select id from "user" where id <> ${sql.lit(owner)} order by id limit 10000) u`.execute(db);
    if (dialect.name === 'postgres') await sql`analyze`.execute(db);
  });
}

/** Makes an attack of a request about the message of a topic. */
function about(name: string, topicOf: (round: number) => string, call: (id: number, round: number) => ApiCall): Attack {
  const ids: number[] = [];
  return {
    name,
    before: async ({ ask }: Scene) => {
      for (let round = 0; round < DELETED; round++) {
        const narrow = [CHANNEL, { operator: 'topic', operand: topicOf(round) }];
        const { messages } = await ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow });
        ids.push(Array.isArray(messages) ? messages[0]?.id : 0);
      }
    },
    send: ({ owner }, round) => request(owner, ...call(ids[round] ?? 0, round)),
  };
}

const vote = (message_id: number, round: number): ApiCall => [
  'POST',
  '/submessage',
  { message_id, msg_type: 'widget', content: JSON.stringify({ type: 'vote', key: `canned,${round}`, vote: 1 }) },
];
const CHANNEL = { operator: 'channel', operand: 'channel 3' };
const page = (id: number): ApiCall => [
  'GET',
  '/messages',
  { anchor: id, num_before: 50, num_after: 50, narrow: [CHANNEL] },
];
const reaction =
  (method: 'POST' | 'DELETE', emoji_name: string) =>
  (id: number): ApiCall => [method, `/messages/${id}/reactions`, { emoji_name }];
const inOf = (topic: string) => () => topic;

/** Requests about messages to which thousands of people have added something. */
export const ADDITIONS: readonly Attack[] = [
  about(`a poll of ${VOTES} votes, read`, inOf(POLL), (id) => ['GET', `/messages/${id}`, {}]),
  about(`a poll of ${VOTES} votes, in a page`, inOf(POLL), page),
  about(`a poll of ${VOTES} votes, and another`, inOf(POLL), vote),
  about(`a poll of ${VOTES} votes, edited`, inOf(POLL), (id) => ['PATCH', `/messages/${id}`, { content: 'a' }]),
  about(`50,000 reactions, read`, inOf(REACTIONS), (id) => ['GET', `/messages/${id}`, {}]),
  about(`50,000 reactions, in a page`, inOf(REACTIONS), page),
  about(`50,000 reactions, and another`, inOf(REACTIONS), (id, round) =>
    reaction(round % 2 === 0 ? 'POST' : 'DELETE', 'tada')(id),
  ),
  about(`50,000 reactions, and another emoji`, inOf(REACTIONS), (id, round) =>
    reaction(round % 2 === 0 ? 'POST' : 'DELETE', 'wave')(id),
  ),
  about(
    `50,000 reactions and ${VOTES} votes, deleted`,
    (round) => `${GONE} ${round}`,
    (id) => ['DELETE', `/messages/${id}`, {}],
  ),
];
