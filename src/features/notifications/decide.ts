import { mutersByUser } from '#features/muted-users';
import { groupMentionsOf, findMessages, type MessageRow, readBy, usersWithFlags } from '#features/messages';
import { membersOf } from '#features/groups';
import { readRealm, realmRefOf } from '#features/realms';
import { settingsOf } from '#features/user-settings';
import { listenersAmong } from '#kernel/events';
import type { GroupId, MessageId, RealmId, UserId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import type { ReadTx } from '#kernel/store';
import { activeAmong, listAddressed, listConcerned } from './queries.ts';
import type { Candidate } from './rules.ts';

/** People looked at in one go. */
const PAGE = 1000;
/** Seconds after its last poll in which a client still counts as there. Contract register 3.7. */
const LISTENING_SECONDS = 600;

/** Newly mentioned people and groups of a message whose content was changed; whether it newly mentions everybody. */
export interface Newly {
  readonly users: readonly UserId[];
  readonly groups: readonly GroupId[];
  readonly channel: boolean;
  readonly topic: boolean;
}

/** A page of the people whom a message may concern, and who of them is away. */
interface Concerned {
  readonly message: MessageRow;
  readonly candidates: readonly Candidate[];
  readonly idle: ReadonlySet<UserId>;
  /** The last ID of a full page; undefined when nobody is left. */
  readonly next: number | undefined;
}

/** Who may have to be told of a message that still exists, from `after` on. */
export async function readConcerned(
  kit: Kit,
  message: MessageRow,
  after: number,
  newly: Newly | undefined,
): Promise<Concerned> {
  const muting = new Set((await mutersByUser(kit, message.realm_id)).get(message.sender_id));
  return kit.store.read(async (tx) => {
    const marks = await readMarks(tx, message, newly);
    const page = { after, limit: PAGE };
    const all = await (message.channel_id === null
      ? addressed(tx, message, marks, page)
      : subscribed(tx, message, marks, page));
    const wanted = all.filter((one) => !muting.has(one.userId) && (!newly || isNew(one, marks)));
    const ids = wanted.map(({ userId }) => userId);
    const read = await readBy(tx, message.realm_id, ids, [message]);
    const candidates = wanted.filter(({ userId }) => !read.get(userId)?.has(message.id));
    const next = all.length === PAGE ? all.at(-1)?.userId : undefined;
    return { message, candidates, idle: await idleAmong(tx, message.realm_id, ids), next };
  });
}

/** The message of an ID; undefined when it is gone. */
export async function findMessage(kit: Kit, realmId: RealmId, id: MessageId) {
  const [message] = await kit.store.query((tx) => findMessages(tx, realmId, [id]));
  return message;
}

/** Whom a message mentions; after a change, whom it did not mention before. */
interface Marks {
  readonly mentioned: ReadonlySet<UserId>;
  readonly topic: ReadonlySet<UserId>;
  readonly channel: boolean;
  /** Mentioned by name or through a group already before the change, and told of it then. */
  readonly before: ReadonlySet<UserId>;
}

/** Whether a change of a message mentions somebody whom it left alone before. Contract surrounding 3.6. */
function isNew({ userId, isMentioned, isTopicMentioned, isChannelMentioned }: Candidate, { before }: Marks): boolean {
  return isMentioned || ((isTopicMentioned || isChannelMentioned) && !before.has(userId));
}

async function readMarks(tx: ReadTx, message: MessageRow, newly: Newly | undefined): Promise<Marks> {
  const { realm_id, id } = message;
  const flags = await usersWithFlags(tx, realm_id, ['mentioned', 'topic_wildcard_mentioned'], [id]);
  const marked = (wanted: string) => flags.filter(({ flag }) => flag === wanted).map(({ user_id }) => user_id);
  const named = marked('mentioned').filter((user) => newly?.users.includes(user) ?? true);
  const grouped = await membersOfMentioned(tx, message, newly);
  const before = newly ? [...marked('mentioned'), ...(await membersOfMentioned(tx, message, undefined))] : [];
  return {
    mentioned: new Set([...named, ...grouped]),
    topic: new Set((newly?.topic ?? true) ? marked('topic_wildcard_mentioned') : []),
    channel: message.mentions_channel && (newly?.channel ?? true),
    before: new Set(before),
  };
}

async function membersOfMentioned(
  tx: ReadTx,
  message: MessageRow,
  newly: Newly | undefined,
): Promise<readonly UserId[]> {
  if (!message.mentions_groups) return [];
  const groups = (await groupMentionsOf(tx, message.realm_id, [message.id])).get(message.id) ?? [];
  const wanted = groups.filter((group) => newly?.groups.includes(group) ?? true);
  return membersOf(tx, realmRefOf(await readRealm(tx, message.realm_id)), wanted);
}

async function subscribed(
  tx: ReadTx,
  message: MessageRow,
  { mentioned, topic, channel: isChannelMentioned }: Marks,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly Candidate[]> {
  const rows = await listConcerned(tx, message, [...mentioned, ...topic], page);
  return rows.map(({ id, user_settings, visibility_policy: policy, ...channel }) => ({
    userId: id,
    wishes: settingsOf({ user_settings, ...NO_MATTER }),
    channel,
    policy,
    isMentioned: mentioned.has(id),
    isTopicMentioned: topic.has(id),
    isChannelMentioned,
  }));
}

async function addressed(
  tx: ReadTx,
  message: MessageRow,
  { mentioned }: Marks,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly Candidate[]> {
  const rows = await listAddressed(tx, message, page);
  return rows.map(({ id, user_settings }) => ({
    userId: id,
    wishes: settingsOf({ user_settings, ...NO_MATTER }),
    channel: undefined,
    policy: null,
    isMentioned: mentioned.has(id),
    isTopicMentioned: false,
    isChannelMentioned: false,
  }));
}

/** Settings that are stored elsewhere and decide nothing here. */
const NO_MATTER = { email_address_visibility: 1, timezone: '' };

/** Those without a client that listens, or who did nothing for a while. Contract surrounding 3.5, register 3.7. */
export async function idleAmong(tx: ReadTx, realmId: RealmId, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set();
  const active = await activeAmong(tx, realmId, ids);
  const listening = await listenersAmong(tx, realmId, [...active], 'message', tx.now - LISTENING_SECONDS);
  return new Set(ids.filter((id) => !listening.has(id)));
}
