import { type CallerReadTx, hasActor } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, int, list, object } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { participantsOf } from '#features/recipients';
import { NEWEST } from './finding/index.ts';
import { resolveNarrow, selectIds, type Term } from './narrow/index.ts';
import { conversationsWith } from './core/index.ts';
import { findDirect, findStarred } from './existing/queries.ts';
import { unreadState } from './reading/index.ts';

/** Number of newest direct messages in which recent conversations are looked for. See protocol/flags#unread. */
const RECENT_MESSAGES = 1000;

/** The caller's newest direct conversations. See protocol/flags#unread. */
const recentConversationsState = registerState({
  fetchType: 'recent_private_conversations',
  source: 'protocol/flags#unread',
  fields: { recent_private_conversations: list(object({ max_message_id: int(), user_ids: list(idOf<UserId>()) })) },
  read: async ({ tx }) => {
    const { actor } = tx;
    // Whoever has none is spared the search, which takes longer than all else that is read for them.
    if (!actor || !(await findDirect(tx, actor.userId))) return { recent_private_conversations: [] };
    const newest = await newestIn(tx, [{ operator: 'is', operand: 'dm', negated: false }], RECENT_MESSAGES);
    if (newest.length === 0) return { recent_private_conversations: [] };
    const rows = await conversationsWith(tx, newest);
    return {
      recent_private_conversations: rows.map((row) => ({
        max_message_id: row.max_id,
        user_ids: (participantsOf(row) ?? []).filter((id) => id !== actor.userId),
      })),
    };
  },
});

/** Most starred messages that are listed: the newest ones. See protocol/flags#unread. */
const MAX_STARRED = 10_000;

/** The newest messages of a narrow, newest first. */
async function newestIn(tx: CallerReadTx, terms: readonly Term[], limit: number): Promise<readonly MessageId[]> {
  if (!hasActor(tx)) return [];
  const { selection } = await resolveNarrow(tx, terms, tx.realm.host);
  return selectIds(tx, selection, { from: NEWEST, direction: 'older', limit });
}

/** The newest message that a reader has received. */
export async function newestReceived(tx: CallerReadTx): Promise<MessageId | undefined> {
  const [newest] = await newestIn(tx, [], 1);
  return newest;
}

/** The newest message the caller has received. See protocol/flags#unread. */
const newestMessageState = registerState({
  fetchType: 'message',
  source: 'protocol/flags#unread',
  fields: { max_message_id: int() },
  read: async ({ tx }) => ({ max_message_id: (await newestReceived(tx)) ?? -1 }),
});

/** Messages the caller has starred, ascending. See protocol/flags#unread. */
const starredState = registerState({
  fetchType: 'starred_messages',
  source: 'protocol/flags#unread',
  fields: { starred_messages: list(idOf<MessageId>()) },
  read: async ({ tx }) => {
    if (!tx.actor || !(await findStarred(tx, tx.actor.userId))) return { starred_messages: [] };
    const newest = await newestIn(tx, [{ operator: 'is', operand: 'starred', negated: false }], MAX_STARRED);
    return { starred_messages: newest.toReversed() };
  },
});

export const messageStates = [newestMessageState, unreadState, starredState, recentConversationsState];
