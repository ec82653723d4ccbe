import { asId, type ChannelId, type RealmId, type RecipientId, type UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';

/** Makes the conversation of a new channel; the channel's ID is told later. */
export async function insertChannelRecipient(tx: WriteTx, realmId: RealmId): Promise<RecipientId> {
  const row = { realm_id: realmId, channel_id: null, participants_key: null };
  const { id } = await tx.db.insertInto('recipient').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function setRecipientChannel(
  tx: WriteTx,
  realmId: RealmId,
  id: RecipientId,
  channelId: ChannelId,
): Promise<void> {
  await tx.db
    .updateTable('recipient')
    .set({ channel_id: channelId })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute();
}

/** The conversation of exactly these people, if they have one. */
export async function findDirectRecipient(
  tx: ReadTx,
  realmId: RealmId,
  participants: readonly UserId[],
): Promise<RecipientId | undefined> {
  const row = await tx.db
    .selectFrom('recipient')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('participants_key', '=', participantsKey(participants))
    .executeTakeFirst();
  return row?.id;
}

/** The conversation of exactly these people, made when it is their first. */
export async function ensureDirectRecipient(
  tx: WriteTx,
  realmId: RealmId,
  participants: readonly UserId[],
): Promise<RecipientId> {
  const known = await findDirectRecipient(tx, realmId, participants);
  if (known !== undefined) return known;
  const row = { realm_id: realmId, channel_id: null, participants_key: participantsKey(participants) };
  const made = await tx.db
    .insertInto('recipient')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return ensureDirectRecipient(tx, realmId, participants);
  const people = participants.map((user_id) => ({ realm_id: realmId, recipient_id: made.id, user_id }));
  await tx.db.insertInto('direct_participant').values(people).execute();
  return made.id;
}

/** The people of a direct conversation, ascending; undefined for a channel's. */
export function participantsOf(row: { readonly participants_key: string | null }): readonly UserId[] | undefined {
  return row.participants_key?.split(',').map((id) => asId<UserId>(Number(id)));
}

function participantsKey(participants: readonly UserId[]): string {
  return [...new Set(participants)].toSorted((a, b) => a - b).join(',');
}
