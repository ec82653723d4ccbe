import type { RealmRefReadTx } from '#kernel/auth';
import { groupMentionsOf, type MessageHead, usersWithFlags } from '#features/messages';
import { membersOf } from '#features/groups';
import type { GroupId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import type { Candidate } from './rules.ts';

/** People and groups that an edited message newly mentions, and whether it newly mentions everybody. */
export interface Newly {
  readonly users: readonly UserId[];
  readonly groups: readonly GroupId[];
  readonly channel: boolean;
  readonly topic: boolean;
}

/** A message of which people may have to be notified. */
export interface Asked {
  readonly message: MessageHead;
  /** People up to this ID have been handled. */
  readonly after: number;
  readonly newly?: Newly | undefined;
}

/** The people whom a message mentions; after an edit, only those whom it did not mention before. */
export interface Marks {
  readonly mentioned: ReadonlySet<UserId>;
  readonly topic: ReadonlySet<UserId>;
  readonly channel: boolean;
  /** People who were mentioned by name or through a group before the edit, and notified then. */
  readonly before: ReadonlySet<UserId>;
}

/** Whether an edit newly mentions somebody. See protocol/editing#checks. */
export function isNew(
  { userId, isMentioned, isTopicMentioned, isChannelMentioned }: Candidate,
  { before }: Marks,
): boolean {
  return isMentioned || ((isTopicMentioned || isChannelMentioned) && !before.has(userId));
}

/** A message, and the people whom it mentions. */
export interface Marked extends Asked {
  readonly marks: Marks;
}

/** Finds the people whom messages mention. */
export async function readMarks(tx: RealmRefReadTx, asked: readonly Asked[]): Promise<readonly Marked[]> {
  const ids = asked.map(({ message }) => message.id);
  const flags = await usersWithFlags(tx, ['mentioned', 'topic_wildcard_mentioned'], ids);
  const byMessage = grouped(flags.map((flag) => [flag.message_id, flag]));
  const marked: Marked[] = [];
  for (const one of asked) marked.push({ ...one, marks: await marksOf(tx, one, byMessage.get(one.message.id) ?? []) });
  return marked;
}

type Flag = Awaited<ReturnType<typeof usersWithFlags>>[number];

async function marksOf(tx: RealmRefReadTx, { message, newly }: Asked, flags: readonly Flag[]): Promise<Marks> {
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
  tx: RealmRefReadTx,
  message: MessageHead,
  newly: Newly | undefined,
): Promise<readonly UserId[]> {
  if (!message.mentions_groups) return [];
  const groups = (await groupMentionsOf(tx, [message.id])).get(message.id) ?? [];
  const wanted = groups.filter((group) => newly?.groups.includes(group) ?? true);
  return membersOf(tx, wanted);
}
