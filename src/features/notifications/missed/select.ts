import type { RealmRefReadTx } from '#kernel/auth';
import { accessMessages, type MessageRow, readBy } from '#features/messages';
import { type UserSettings, settingsOf } from '#features/user-settings';
import { actorOf, findUser, type UserRow } from '#features/users';
import type { UserId } from '#kernel/ids';
import { actingAs } from '#kernel/store';
import { idleAmong } from '../decide.ts';
import type { Trigger } from '../rules.ts';
import { listMissed, type MissedRow } from '../pending/index.ts';

/** Most messages that are read for one user's mails. */
const MAX_MESSAGES = 500;
/** Client name of these reads. */
const CLIENT = 'Internal';

/** A user, and the messages to mail to them. */
export interface Missed {
  readonly user: UserRow;
  /** Oldest first. */
  readonly messages: readonly MessageRow[];
}

/** Settings that cancel a reason for a mail if they were turned off before it is sent. */
const STILL_WANTED: Partial<Record<Trigger, (settings: UserSettings) => boolean>> = {
  followed_topic: (settings) => settings.enable_followed_topic_email_notifications,
  stream: () => true,
};
const wantsAny = (settings: UserSettings): boolean => settings.enable_offline_email_notifications;

/** Reads the messages gathered for somebody, and which of them they have still missed. */
export async function readMissed(
  tx: RealmRefReadTx,
  userId: UserId,
): Promise<{ readonly rows: readonly MissedRow[]; readonly missed: Missed | undefined }> {
  const rows = await listMissed(tx, userId, MAX_MESSAGES);
  return { rows, missed: await stillMissed(tx, userId, rows) };
}

/**
 * The messages that somebody has still missed: unread, readable and still wanted; undefined if there are none, or they
 * are active again.
 */
export async function stillMissed(
  tx: RealmRefReadTx,
  userId: UserId,
  rows: readonly Pick<MissedRow, 'message_id' | 'reason'>[],
): Promise<Missed | undefined> {
  const user = await findUser(tx, userId);
  if (!user?.is_active) return undefined;
  if (!(await idleAmong(tx, [userId])).has(userId)) return undefined;
  const settings = settingsOf(user);
  const wanted = rows.filter(({ reason }) => (STILL_WANTED[reason] ?? wantsAny)(settings));
  const actor = { ...actorOf(user, tx.realm, tx.now), client: CLIENT };
  const ids = wanted.map((row) => row.message_id);
  const readable = await accessMessages(actingAs(tx, actor), ids);
  const read = (await readBy(tx, [userId], readable)).get(userId);
  const messages = readable.filter(({ id }) => !read?.has(id));
  return messages.length > 0 ? { user, messages } : undefined;
}
