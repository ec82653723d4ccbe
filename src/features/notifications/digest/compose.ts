import { findChannels, listSubscriptionsOf } from '#features/channels';
import { senderOf, withLayout } from '#features/mails';
import { accessMessages, messageAddress, readBy } from '#features/messages';
import { settingsOf } from '#features/user-settings';
import { actorOf, type UserRow } from '#features/users';
import type { RealmRef, RealmRefReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { html } from '#kernel/html';
import type { UserId } from '#kernel/ids';
import type { Mail } from '#kernel/mail';
import { actingAs, type RealmReadTx } from '#kernel/store';
import { topicShown } from '#kernel/text';
import { listPolicies } from '../queries.ts';
import { unsubscribeAddress, unsubscribeHeaders } from '../unsubscribe.ts';
import type { BusyTopic, NewChannel } from './queries.ts';

/** Most topics that a mail names, and most candidates per person. */
const MAX_TOPICS = 5;
const MAX_CANDIDATES = 20;
/** Most new channels that a mail names. */
export const MAX_NEW_CHANNELS = 10;
const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;
const GUEST = 600;

/** Activity in an organization during a week. */
export interface Week {
  readonly topics: readonly BusyTopic[];
  readonly channels: readonly NewChannel[];
}

/** Finds the people who may get a weekly mail, and the topics that it can name for each. */
export async function topicsByPerson(
  tx: RealmReadTx,
  people: readonly UserRow[],
  week: Week,
): Promise<readonly (readonly [user: UserRow, topics: readonly BusyTopic[]])[]> {
  const wanting = people.filter((user) => settingsOf(user).enable_digest_emails);
  const topicsFor = await readTopics(tx, wanting, week.topics);
  return wanting
    .map((user) => [user, topicsFor(user.id).slice(0, MAX_CANDIDATES)] as const)
    .filter(([user, topics]) => topics.length + channelsFor(user, week).length > 0);
}

/** Composes somebody's mail about a week from the present state; undefined if it would be empty. */
export async function composeDigest(
  context: Context,
  tx: RealmRefReadTx,
  user: UserRow,
  week: Week,
): Promise<Mail | undefined> {
  const [mine] = await topicsByPerson(tx, [user], week);
  if (!mine) return undefined;
  const topics = await readable(tx, user, mine[1]);
  const channels = channelsFor(user, week);
  return topics.length + channels.length > 0 ? toMail(context, tx.realm, user, { topics, channels }) : undefined;
}

function channelsFor({ role }: UserRow, { channels }: Week): readonly NewChannel[] {
  return role === GUEST ? [] : channels.slice(0, MAX_NEW_CHANNELS);
}

/** The topics of the channels that each person is subscribed to, without muted ones. */
async function readTopics(tx: RealmReadTx, people: readonly UserRow[], topics: readonly BusyTopic[]) {
  const ids = people.map(({ id }) => id);
  const channelIds = [...new Set(topics.map(({ channel_id }) => channel_id))];
  const subscribed = new Map(
    (await listSubscriptionsOf(tx, ids, channelIds))
      .filter(({ is_subscribed }) => is_subscribed)
      .map((row) => [`${row.user_id} ${row.channel_id}`, row.is_muted]),
  );
  const topicKeys = [...new Set(topics.map(({ topic_key }) => topic_key))];
  const chosen = await listPolicies(tx, ids, { channelIds, topicKeys });
  const policies = new Map(
    chosen.map((row) => [`${row.user_id} ${row.channel_id} ${row.topic_key}`, row.visibility_policy]),
  );
  return (userId: UserId) =>
    topics.filter(({ channel_id, topic_key }) => {
      const isMuted = subscribed.get(`${userId} ${channel_id}`);
      const policy = policies.get(`${userId} ${channel_id} ${topic_key}`);
      if (isMuted === undefined || policy === MUTED) return false;
      return !isMuted || policy === UNMUTED || policy === FOLLOWED;
    });
}

/** A topic as a mail shows it. */
interface Shown {
  readonly title: string;
  readonly address: string;
  readonly facts: string;
}

/** The topics whose newest message still exists, is readable for the user, and unread. */
async function readable(
  tx: RealmRefReadTx,
  user: UserRow,
  candidates: readonly BusyTopic[],
): Promise<readonly Shown[]> {
  const actor = { ...actorOf(user, tx.realm, tx.now), client: 'Internal' };
  const rows = await accessMessages(
    actingAs(tx, actor),
    candidates.map(({ newest }) => newest),
  );
  const channels = await findChannels(tx, [...new Set(rows.flatMap((row) => row.channel_id ?? []))]);
  const read = (await readBy(tx, [user.id], rows)).get(user.id);
  const newest = new Map(rows.filter(({ id }) => !read?.has(id)).map((row) => [row.id, row]));
  const shown = candidates.flatMap((topic): Shown[] => {
    const row = newest.get(topic.newest);
    const channel = row && channels.get(topic.channel_id);
    if (!row || !channel) return [];
    const title = `#${channel.name} > ${topicShown(row.topic, false)}`;
    return [
      {
        title,
        address: messageAddress(tx.realm.url, { channel, topic: row.topic }, row.id),
        facts: factsOf(topic),
      },
    ];
  });
  return shown.slice(0, MAX_TOPICS);
}

function factsOf({ people, messages, reactions }: BusyTopic): string {
  const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  const said = [count(people, 'person', 'people'), count(messages, 'message', 'messages')];
  return [...said, ...(reactions > 0 ? [count(reactions, 'reaction', 'reactions')] : [])].join(', ');
}

function toMail(
  context: Context,
  realm: RealmRef,
  user: UserRow,
  { topics, channels }: { readonly topics: readonly Shown[]; readonly channels: readonly NewChannel[] },
): Mail {
  const leave = unsubscribeAddress(context, { realm, userId: user.id }, 'digest');
  const hello = `Hello ${user.full_name},`;
  const lede = `this is what happened in ${realm.name} last week.`;
  const channelAddress = ({ id }: NewChannel) => `${realm.url}/#narrow/channel/${id}`;
  const text = [
    hello,
    lede,
    ...(topics.length > 0 ? ['Busiest topics:'] : []),
    ...topics.map(({ title, facts, address }) => `${title}\n${facts}\n${address}`),
    ...(channels.length > 0 ? ['New channels:'] : []),
    ...channels.map((channel) =>
      [`#${channel.name}`, channel.description, channelAddress(channel)].filter(Boolean).join('\n'),
    ),
    `To get no more mails like this one, open this address: ${leave}`,
  ].join('\n\n');
  const inside = html`<p>${hello}</p>
<p>${lede}</p>
${topics.length > 0 && html`<h2>Topics with most people</h2>`}
${topics.map(({ title, facts, address }) => html`<p><a href="${address}">${title}</a><br>${facts}</p>\n`)}
${channels.length > 0 && html`<h2>New channels</h2>`}
${channels.map((channel) => html`<p><a href="${channelAddress(channel)}">#${channel.name}</a>${channel.description !== '' && html`<br>${channel.description}`}</p>\n`)}
<p><a class="go" href="${realm.url}">Open ${realm.name}</a></p>
<p class="small"><a href="${leave}">Get no more mails like this one</a></p>`;
  const to = { name: user.full_name, address: user.email };
  const mail = { to, subject: `Last week in ${realm.name}`, text, headers: unsubscribeHeaders(leave) };
  return withLayout(mail, senderOf(context, realm), inside);
}
