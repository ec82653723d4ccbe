import { asId, type ChannelId, type RecipientId, type UserId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx } from '#kernel/store';

/** Most rows of one statement, which bounds its parameters. */
const CHUNK = 500;

/** Inserts the conversations of new channels; `setRecipientChannels` adds the channels' IDs later. */
export async function insertChannelRecipients(tx: RealmWriteTx, count: number): Promise<readonly RecipientId[]> {
  const ids: RecipientId[] = [];
  const rows = Array.from({ length: count }, () => ({
    realm_id: tx.realmId,
    channel_id: null,
    participants_key: null,
  }));
  for (const chunk of inChunks(rows, CHUNK)) {
    const made = await tx.db.insertInto('recipient').values(chunk).returning('id').execute();
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** Stores the channels' IDs in their new conversations. */
export async function setRecipientChannels(
  tx: RealmWriteTx,
  channels: readonly { readonly id: ChannelId; readonly recipient_id: RecipientId }[],
): Promise<void> {
  const rows = channels.map((channel) => ({
    id: channel.recipient_id,
    realm_id: tx.realmId,
    channel_id: channel.id,
    participants_key: null,
  }));
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('recipient')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((row) => ({ channel_id: row.ref('excluded.channel_id') })),
      )
      .execute();
  }
}

/** The conversation of exactly these people, if they have one. */
export async function findDirectRecipient(
  tx: RealmReadTx,
  participants: readonly UserId[],
): Promise<RecipientId | undefined> {
  const row = await tx.db
    .selectFrom('recipient')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.isLongText('participants_key', participantsKey(participants)))
    .executeTakeFirst();
  return row?.id;
}

/** Finds the conversation of exactly these people, or creates it. */
export async function ensureDirectRecipient(tx: RealmWriteTx, participants: readonly UserId[]): Promise<RecipientId> {
  const known = await findDirectRecipient(tx, participants);
  if (known !== undefined) return known;
  const row = { realm_id: tx.realmId, channel_id: null, participants_key: participantsKey(participants) };
  const made = await tx.db
    .insertInto('recipient')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return ensureDirectRecipient(tx, participants);
  const people = participants.map((user_id) => ({ realm_id: tx.realmId, recipient_id: made.id, user_id }));
  await tx.db.insertInto('direct_participant').values(people).execute();
  return made.id;
}

/** The people of a direct conversation, ascending; undefined for a channel's conversation. */
export function participantsOf(row: { readonly participants_key: string | null }): readonly UserId[] | undefined {
  return row.participants_key?.split(',').map((id) => asId<UserId>(Number(id)));
}

function participantsKey(participants: readonly UserId[]): string {
  return [...new Set(participants)].toSorted((a, b) => a - b).join(',');
}
