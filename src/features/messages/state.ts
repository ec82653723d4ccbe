import { hasActor } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, int, list, object } from '#kernel/schema';
import { registerState, type StateContext } from '#kernel/state';
import { participantsOf } from '#features/recipients';
import { NEWEST } from './finding/index.ts';
import { resolveNarrow, selectIds, type Term } from './narrow/index.ts';
import { recentConversations } from './core/index.ts';
import { unreadState } from './reading/index.ts';

/** The caller's newest direct conversations. See protocol/flags#unread. */
const recentConversationsState = registerState({
  fetchType: 'recent_private_conversations',
  source: 'protocol/flags#unread',
  fields: { recent_private_conversations: list(object({ max_message_id: int(), user_ids: list(idOf<UserId>()) })) },
  read: async ({ tx }) => {
    if (!hasActor(tx)) return { recent_private_conversations: [] };
    const rows = await recentConversations(tx, tx.actor.userId);
    return {
      recent_private_conversations: rows.map((row) => ({
        max_message_id: row.max_id,
        user_ids: (participantsOf(row) ?? []).filter((id) => id !== tx.actor.userId),
      })),
    };
  },
});

/** Most starred messages that are listed: the newest ones. See protocol/flags#unread. */
const MAX_STARRED = 10_000;

/** The reader's transaction, and how to find the realm's host. */
type Reader = Pick<StateContext, 'tx'> & {
  readonly context: Pick<StateContext['context'], 'realmHost'>;
};

/** The newest messages of a narrow, newest first. */
async function newestIn({ tx, context }: Reader, terms: readonly Term[], limit: number): Promise<readonly MessageId[]> {
  if (!hasActor(tx)) return [];
  const { selection } = await resolveNarrow(tx, terms, context.realmHost(tx.realm));
  return selectIds(tx, selection, { from: NEWEST, direction: 'older', limit });
}

/** The newest message that a reader has received. */
export async function newestReceived(reader: Reader): Promise<MessageId | undefined> {
  const [newest] = await newestIn(reader, [], 1);
  return newest;
}

/** The newest message the caller has received. See protocol/flags#unread. */
const newestMessageState = registerState({
  fetchType: 'message',
  source: 'protocol/flags#unread',
  fields: { max_message_id: int() },
  read: async (input) => ({ max_message_id: (await newestReceived(input)) ?? -1 }),
});

/** Messages the caller has starred, ascending. See protocol/flags#unread. */
const starredState = registerState({
  fetchType: 'starred_messages',
  source: 'protocol/flags#unread',
  fields: { starred_messages: list(idOf<MessageId>()) },
  read: async (input) => {
    const newest = await newestIn(input, [{ operator: 'is', operand: 'starred', negated: false }], MAX_STARRED);
    return { starred_messages: newest.toReversed() };
  },
});

export const messageStates = [newestMessageState, unreadState, starredState, recentConversationsState];
