import { isDeepStrictEqual } from 'node:util';
import { settingsOf, type UserSettings } from '#features/user-settings';
import { assertRoom, findUser, type PersonalTexts, lockUser, type UserRow } from '#features/users';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { checkedDrafts } from './checking.ts';
import { DraftMissing, DraftsDisabled } from './errors.ts';
import { draftRemoved, draftsAdded, draftUpdated } from './events.ts';
import {
  deleteDraft,
  deleteDraftsOf,
  type DraftContent,
  findDraft,
  insertDrafts,
  listDrafts,
  setDraft,
} from './queries.ts';
import type { DraftId, DraftRow } from './tables.ts';
import { type SentDraft, toWireDraft } from './wire.ts';

const TEXTS: PersonalTexts = { table: 'draft', texts: ['topic', 'content', 'draft_to'], name: 'drafts' };
const textsOf = ({ topic, content, draft_to }: DraftContent) => [topic, content, JSON.stringify(draft_to)];

/** Stores new drafts of the actor. See protocol/saved#drafts. */
export function addDrafts(context: Context, actor: Actor, sent: readonly SentDraft[]): Promise<readonly DraftRow[]> {
  return context.store.as(actor).write(async (tx) => {
    await lockKeeper(tx);
    const drafts = sent.map((one, index) => ({ at: `drafts[${index}]`, sent: one }));
    const checked = await checkedDrafts(tx, drafts);
    if (checked.length === 0) return [];
    await assertRoom(tx, TEXTS, checked.map(textsOf));
    const rows = await insertDrafts(tx, checked);
    tx.emit(draftsAdded({ drafts: rows.map(toWireDraft) }, { audience: { users: [actor.userId] } }));
    return rows;
  });
}

/** Replaces a draft of the actor. See protocol/saved#drafts. */
export async function updateDraft(
  context: Context,
  actor: Actor,
  { draft_id: id, draft: sent }: { readonly draft_id: DraftId; readonly draft: SentDraft },
): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockKeeper(tx);
    const before = await findDraft(tx, id);
    if (!before) throw DraftMissing();
    const [content] = await checkedDrafts(tx, [{ at: 'draft', sent }]);
    if (!content || isDeepStrictEqual({ ...before, ...content }, { ...before })) return;
    await assertRoom(tx, TEXTS, [textsOf(content)], id);
    await setDraft(tx, id, content);
    const draft = toWireDraft({ ...before, ...content });
    tx.emit(draftUpdated({ draft }, { audience: { users: [actor.userId] } }));
  });
}

/** Deletes a draft of the actor. See protocol/saved#drafts. */
export async function removeDraft(context: Context, actor: Actor, id: DraftId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockKeeper(tx);
    if (!(await deleteDraft(tx, id))) throw DraftMissing();
    tx.emit(draftRemoved({ draft_id: id }, { audience: { users: [actor.userId] } }));
  });
}

/** Returns the actor's drafts, the one edited longest ago first. */
export async function readDrafts(tx: ActorReadTx): Promise<readonly DraftRow[]> {
  if (!(await keepsDrafts(tx))) throw DraftsDisabled();
  return listDrafts(tx);
}

/** Whether the actor stores drafts on the server. */
export async function keepsDrafts(tx: ActorReadTx): Promise<boolean> {
  const row = await findUser(tx, tx.actor.userId);
  return row !== undefined && isOn(row);
}

/**
 * Deletes the drafts of users who turn off storing them; clients follow the setting's event. See protocol/saved#drafts.
 */
export async function forgetDrafts(
  tx: RealmWriteTx,
  change: { readonly userIds: readonly UserId[]; readonly changed: Partial<UserSettings> },
): Promise<void> {
  if (change.changed.enable_drafts_synchronization === false) await deleteDraftsOf(tx, change.userIds);
}

/** Locks the setting until the commit. */
async function lockKeeper(tx: ActorWriteTx): Promise<void> {
  if (!isOn(await lockUser(tx, tx.actor.userId))) throw DraftsDisabled();
}

const isOn = (row: UserRow): boolean => settingsOf(row).enable_drafts_synchronization;
