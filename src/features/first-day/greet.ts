import { queueDirectNotices } from '#features/notices';
import { readRealm, settingsOf } from '#features/realms';
import { SystemBot, type UserRow } from '#features/users';
import type { RealmWriteTx } from '#kernel/store';
import { GREETING } from './words.ts';

/**
 * Has the welcome bot write to a new user after the commit: an introduction and the organization's own text. `ownText`
 * is the text of an invitation, which replaces the organization's; an empty one adds nothing.
 */
export async function greet(tx: RealmWriteTx, user: UserRow, ownText: string | null = null): Promise<void> {
  const own = ownText ?? settingsOf(await readRealm(tx)).welcome_message_custom_text;
  const content = own === '' ? GREETING : `${GREETING}\n\n${own}`;
  await queueDirectNotices(tx, [{ userId: user.id, content }], SystemBot.welcome.full_name);
}
