import { accessMessages, type MessageRow, readBy } from '#features/messages';
import { type UserSettings, settingsOf } from '#features/user-settings';
import { actorOf, findUser, type UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';
import { idleAmong } from '../decide.ts';
import type { Trigger } from '../rules.ts';
import { listMissed } from './queries.ts';
import type { MissedRow } from './tables.ts';

/** Most messages that one mail is made from. */
const MAX_MESSAGES = 500;
/** Name of the program that asks. */
const CLIENT = 'Internal';

/** What is gathered for a user's mail, and what of it they are to get. */
export interface Missed {
  readonly rows: readonly MissedRow[];
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

/** What somebody has still missed: unread, still theirs to read, still wanted; nothing while they are back. */
export async function readMissed(tx: ReadTx, realm: RealmRef, userId: UserId): Promise<Missed> {
  const rows = await listMissed(tx, realm.id, userId, MAX_MESSAGES);
  const user = await findUser(tx, realm.id, userId);
  const nothing = { rows, user, messages: [] };
  if (!user?.is_active) return nothing;
  if (!(await idleAmong(tx, realm.id, [userId])).has(userId)) return nothing;
  const settings = settingsOf(user);
  const wanted = rows.filter(({ reason }) => (STILL_WANTED[reason] ?? wantsAny)(settings));
  const actor = { ...actorOf(user, realm, tx.now), client: CLIENT };
  const ids = wanted.map((row) => row.message_id);
  const messages = await accessMessages(tx, realm, actor, ids);
  const read = (await readBy(tx, realm.id, [userId], messages)).get(userId);
  return { rows, user, messages: messages.filter(({ id }) => !read?.has(id)) };
}
