import { mutersByUser } from '#features/muted-users';
import { findMessages, type MessageRow, readBy } from '#features/messages';
import { withRealm } from '#features/realms';
import { listenersAmong } from '#kernel/events';
import type { MessageId, RealmId, UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmReadTx } from '#kernel/store';
import { readPeople, readWishes } from './concerned.ts';
import { type Asked, isNew, readMarks } from './marks.ts';
import { activeAmong } from './queries.ts';
import type { Candidate } from './rules.ts';

/** Seconds after its last poll during which a client still counts as listening. See protocol/notifications#away. */
const LISTENING_SECONDS = 600;

/** A message, a page of the people who may be notified of it, and which of them are away. */
export interface Decided {
  readonly asked: Asked;
  readonly candidates: readonly Candidate[];
  readonly idle: ReadonlySet<UserId>;
  /** The last ID of a full page; undefined if nobody is left. */
  readonly next: number | undefined;
}

/**
 * Finds out who may have to be notified of messages: with one snapshot and a few queries for any number of messages.
 */
export async function decide(context: Context, realmId: RealmId, asked: readonly Asked[]): Promise<readonly Decided[]> {
  const muters = await mutersByUser(context, realmId);
  return context.store.of(realmId).read(async (tx) => {
    const concerning = await readPeople(tx, await readMarks(await withRealm(context, tx), asked));
    const ids = [...new Set(concerning.flatMap((one) => one.ids))];
    const weigh = await readWishes(tx, asked, ids);
    const messages = asked.map(({ message }) => message);
    const read = await readBy(tx, ids, messages);
    const idle = await idleAmong(tx, ids);
    return concerning.map((one) => {
      const { message, newly, marks, next } = one;
      const muting = muters.get(message.sender_id) ?? [];
      const isNews = (candidate: Candidate) =>
        !muting.includes(candidate.userId) &&
        (!newly || isNew(candidate, marks)) &&
        !read.get(candidate.userId)?.has(message.id);
      const candidates = one.ids.flatMap((id) => weigh(one, id) ?? []).filter(isNews);
      return { asked: one, candidates, idle, next };
    });
  });
}

/** Finds a message by ID; undefined if it was deleted. */
export async function findMessage(context: Context, realmId: RealmId, id: MessageId): Promise<MessageRow | undefined> {
  const [message] = await context.store.of(realmId).query((tx) => findMessages(tx, [id]));
  return message;
}

/**
 * Returns the users who have no listening client, or were inactive for a while. See protocol/notifications#reasons,
 * protocol/notifications#away.
 */
export async function idleAmong(tx: RealmReadTx, ids: readonly UserId[]): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set();
  const active = await activeAmong(tx, ids);
  const listening = await listenersAmong(tx, [...active], 'message', tx.now - LISTENING_SECONDS);
  return new Set(ids.filter((id) => !listening.has(id)));
}
