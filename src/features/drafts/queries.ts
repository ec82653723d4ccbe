import type { UserId } from '#kernel/ids';
import { compiled, inChunks, type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import type { DraftId, DraftRow } from './tables.ts';

/** What of a draft its author decides. */
export type DraftContent = Omit<DraftRow, 'id' | 'realm_id' | 'user_id'>;

const mine = (tx: RealmReadTx, userId: UserId) =>
  tx.db.selectFrom('draft').selectAll().where('realm_id', '=', tx.realmId).where('user_id', '=', userId);

/** A user's drafts, the one edited longest ago first. */
export function listDrafts(tx: RealmReadTx, userId: UserId): Promise<readonly DraftRow[]> {
  return mine(tx, userId).orderBy('edited_at').orderBy('id').execute();
}

/** Most drafts that come with registering. See protocol/saved#drafts. */
const MAX_REGISTERED = 1000;

/** The drafts edited last, the newest edit first. */
export const newestDrafts = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('draft')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('edited_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_REGISTERED),
);

const INSERT_CHUNK = 500;

/** Stores drafts; the rows in the order given. */
export async function insertDrafts(
  tx: RealmWriteTx,
  userId: UserId,
  drafts: readonly DraftContent[],
): Promise<readonly DraftRow[]> {
  const rows: DraftRow[] = [];
  for (const chunk of inChunks(drafts, INSERT_CHUNK)) {
    const values = chunk.map((one) => ({
      ...one,
      draft_to: JSON.stringify(one.draft_to),
      realm_id: tx.realmId,
      user_id: userId,
    }));
    rows.push(...(await tx.db.insertInto('draft').values(values).returningAll().execute()));
  }
  return rows.toSorted((a, b) => a.id - b.id);
}

export function findDraft(tx: RealmReadTx, userId: UserId, id: DraftId): Promise<DraftRow | undefined> {
  return mine(tx, userId).where('id', '=', id).executeTakeFirst();
}

export async function setDraft(
  tx: RealmWriteTx,
  userId: UserId,
  id: DraftId,
  { draft_to, ...values }: DraftContent,
): Promise<void> {
  await tx.db
    .updateTable('draft')
    .set({ ...values, draft_to: JSON.stringify(draft_to) })
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a draft; false when there is none of this ID. */
export async function deleteDraft(tx: RealmWriteTx, userId: UserId, id: DraftId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('draft')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes all drafts of a user. */
export async function deleteDraftsOf(tx: RealmWriteTx, userIds: readonly UserId[]): Promise<void> {
  await tx.db
    .deleteFrom('draft')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .execute();
}
