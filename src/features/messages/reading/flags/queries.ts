import type { ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { GroupId, MessageId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiled, inChunks, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import { messageFlag, type StoredFlag } from '../../core/index.ts';

interface FlagRow {
  readonly user_id: UserId;
  readonly message_id: MessageId;
  readonly flag: StoredFlag;
}

const INSERT_CHUNK = 1000;

/** Stores flags; existing rows stay. */
export async function insertFlags(tx: RealmWriteTx, rows: readonly FlagRow[]): Promise<void> {
  const { later } = tx;
  if (later) {
    for (const row of rows) later.insert(messageFlag, { realm_id: tx.realmId, ...row }, { isNew: false });
    return;
  }
  const [only] = rows;
  if (only && rows.length === 1) {
    await insertFlag(tx, only.user_id, only.message_id, only.flag);
    return;
  }
  for (const chunk of inChunks(rows, INSERT_CHUNK)) {
    await tx.db
      .insertInto('message_flag')
      .values(chunk.map((row) => ({ realm_id: tx.realmId, ...row })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Gives messages a flag of one user, unless they have it. The database builds the rows, which is faster than sending
 * each.
 */
export async function flagMessages(tx: ActorWriteTx, flag: StoredFlag, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into message_flag (realm_id, user_id, message_id, flag)
    select ${tx.realmId}, ${tx.actor.userId}, id, ${flag} from message where realm_id = ${tx.realmId} and ${tx.dialect.anyOf('id', ids)}
    on conflict do nothing`.execute(tx.db);
}

const insertFlag = compiled(({ db, realmId: realm_id }, user_id: UserId, message_id: MessageId, flag: StoredFlag) =>
  db
    .insertInto('message_flag')
    .values({ realm_id, user_id, message_id, flag })
    .onConflict((conflict) => conflict.doNothing()),
);

export async function deleteFlags(tx: ActorWriteTx, flag: StoredFlag, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('message_flag')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('flag', '=', flag)
    .where(tx.dialect.anyOf('message_id', ids))
    .execute();
}

/** Removes some flags of all users from messages that were edited, moved or deleted. */
export async function deleteFlagsOfAll(
  tx: RealmWriteTx,
  flags: readonly StoredFlag[],
  ids: readonly MessageId[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('message_flag')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', ids))
    .where(tx.dialect.anyOfText('flag', flags))
    .execute();
}

/** The actor's stored flags on some messages. */
export async function flagsByMessage(
  tx: ActorReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, ReadonlySet<StoredFlag>>> {
  const flags = new Map<MessageId, Set<StoredFlag>>();
  if (ids.length === 0) return flags;
  const rows = await flagsOfUser(tx, tx.actor.userId, ids);
  for (const { message_id, flag } of rows) flags.set(message_id, (flags.get(message_id) ?? new Set()).add(flag));
  return flags;
}

const flagsOfUser = compiled(({ db, realmId, dialect }, userId: UserId, ids: readonly MessageId[]) =>
  db
    .selectFrom('message_flag')
    .select(['message_id', 'flag'])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where(dialect.anyOf('message_id', ids)),
);

/** Everybody who has one of the stored flags on one of the messages. */
export async function usersWithFlags(
  tx: RealmReadTx,
  flags: readonly StoredFlag[],
  ids: readonly MessageId[],
): Promise<readonly FlagRow[]> {
  return ids.length === 0 ? [] : flagged(tx, ids, flags);
}

/** Messages that the first statement is about, and rows that those after it should find. */
const [FIRST_SLICE, ROWS_AT_ONCE] = [16, 10_000];
/** How many times as many messages as the one before a statement may be about. */
const GROWTH = 4;

/**
 * As `usersWithFlags`, in slices of messages: everybody may have a flag on each message that was moved, a million rows in
 * all, which took five seconds at once.
 */
export async function* usersWithFlagsInSlices(
  tx: RealmReadTx,
  flags: readonly StoredFlag[],
  ids: readonly MessageId[],
): AsyncGenerator<readonly FlagRow[]> {
  for (let at = 0, size = FIRST_SLICE; at < ids.length; ) {
    if (at > 0) await new Promise(setImmediate);
    const some = ids.slice(at, at + size);
    const rows = await flagged(tx, some, flags);
    yield rows;
    at += some.length;
    const affordable = Math.floor((ROWS_AT_ONCE * some.length) / Math.max(1, rows.length));
    size = Math.max(1, Math.min(size * GROWTH, affordable));
  }
}

const flagged = compiled(({ db, realmId, dialect }, ids: readonly MessageId[], flags: readonly StoredFlag[]) =>
  db
    .selectFrom('message_flag')
    .select(['user_id', 'message_id', 'flag'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .where(dialect.anyOfText('flag', flags))
    .orderBy('message_id')
    .orderBy('user_id'),
);

/** Which of the messages have which of the flags for which of the users. */
export const flagsOfUsers = compiled(
  ({ db, realmId, dialect }, users: readonly UserId[], flags: readonly StoredFlag[], ids: readonly MessageId[]) =>
    db
      .selectFrom('message_flag')
      .select(['user_id', 'message_id', 'flag'])
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('user_id', users))
      .where(dialect.anyOf('message_id', ids))
      .where(dialect.anyOfText('flag', flags)),
);

export async function insertGroupMentions(
  tx: RealmWriteTx,
  messageId: MessageId,
  groupIds: readonly GroupId[],
): Promise<void> {
  if (groupIds.length === 0) return;
  const rows = groupIds.map((group_id) => ({ realm_id: tx.realmId, message_id: messageId, group_id }));
  await tx.db.insertInto('message_group_mention').values(rows).execute();
}

export async function deleteGroupMentions(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('message_group_mention')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', ids))
    .execute();
}

/** The groups that each of the messages mentions. */
export async function groupMentionsOf(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly GroupId[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('message_group_mention')
    .select(['message_id', 'group_id'])
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', ids))
    .execute();
  return grouped(rows.map((row) => [row.message_id, row.group_id]));
}
