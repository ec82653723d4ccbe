import type { ChannelId } from '#kernel/ids';
import { cachedQuery, compiled, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { ChannelRuleId, ChannelRuleRow } from './tables.ts';

/** The rules of a channel, oldest first. */
export const listRules = compiled(({ db, realmId }, channelId: ChannelId) =>
  db
    .selectFrom('channel_rule')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('channel_id', '=', channelId)
    .orderBy('id'),
);

/** Returns one rule, if the channel has any; cached because every message asks. */
export const anyRule = cachedQuery(
  ['channel_rule'],
  compiled(({ db, realmId }, channelId: ChannelId) =>
    db
      .selectFrom('channel_rule')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('channel_id', '=', channelId)
      .limit(1),
  ),
);

export function insertRule(tx: WriteTx, row: Omit<ChannelRuleRow, 'id'>): Promise<ChannelRuleRow> {
  return tx.db
    .insertInto('channel_rule')
    .values({ ...row, words: JSON.stringify(row.words) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a rule of a channel; false if there is none. */
export async function deleteRule(tx: RealmWriteTx, channelId: ChannelId, id: ChannelRuleId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('channel_rule')
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
