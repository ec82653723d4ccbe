import type { RealmRefReadTx } from '#kernel/auth';
import { accessMessages, type MessageRow, readBy } from '#features/messages';
import { type UserSettings, settingsOf } from '#features/user-settings';
import { actorOf, findUser, type UserRow } from '#features/users';
import type { UserId } from '#kernel/ids';
import { actingAs } from '#kernel/store';
import { idleAmong } from '../decide.ts';
import type { Trigger } from '../rules.ts';
import { listMissed, type MissedRow } from '../pending/index.ts';

/** Most messages that one mail is made from. */
const MAX_MESSAGES = 500;
/** Name of the program that asks. */
const CLIENT = 'Internal';

/** Somebody, and the messages that they are to get by mail. */
export interface Missed {
  readonly user: UserRow | undefined;
  /** Oldest first. */
  readonly messages: readonly MessageRow[];
}

/** Wishes that end a reason for a mail when they change before it leaves. */
const STILL_WANTED: Partial<Record<Trigger, (settings: UserSettings) => boolean>> = {
  followed_topic: (settings) => settings.enable_followed_topic_email_notifications,
  stream: () => true,
};
const wantsAny = (settings: UserSettings): boolean => settings.enable_offline_email_notifications;

/** What is gathered for somebody, and what of it they have still missed. */
export async function readMissed(
  tx: RealmRefReadTx,
  userId: UserId,
): Promise<Missed & { readonly rows: readonly MissedRow[] }> {
  const rows = await listMissed(tx, userId, MAX_MESSAGES);
  return { rows, ...(await stillMissed(tx, userId, rows)) };
}

/** What of these somebody has still missed: unread, still theirs to read, still wanted; nothing while they are back. */
export async function stillMissed(
  tx: RealmRefReadTx,
  userId: UserId,
  rows: readonly Pick<MissedRow, 'message_id' | 'reason'>[],
): Promise<Missed> {
  const user = await findUser(tx, userId);
  const nothing = { user, messages: [] };
  if (!user?.is_active) return nothing;
  if (!(await idleAmong(tx, [userId])).has(userId)) return nothing;
  const settings = settingsOf(user);
  const wanted = rows.filter(({ reason }) => (STILL_WANTED[reason] ?? wantsAny)(settings));
  const actor = { ...actorOf(user, tx.realm, tx.now), client: CLIENT };
  const ids = wanted.map((row) => row.message_id);
  const messages = await accessMessages(actingAs(tx, actor), ids);
  const read = (await readBy(tx, [userId], messages)).get(userId);
  return { user, messages: messages.filter(({ id }) => !read?.has(id)) };
}
