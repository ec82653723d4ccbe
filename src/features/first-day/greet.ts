import { queueDirectNotices } from '#features/notices';
import { readRealm, settingsOf } from '#features/realms';
import { SystemBot, type UserRow } from '#features/users';
import type { RealmWriteTx } from '#kernel/store';
import { wordsOf } from './words/index.ts';

/**
 * Has the welcome bot write to a new user after the commit: an introduction and the organization's own text. `ownText`
 * is the text of an invitation, which replaces the organization's; an empty one adds nothing.
 */
export async function greet(tx: RealmWriteTx, user: UserRow, ownText: string | null = null): Promise<void> {
  const { welcome_message_custom_text, default_language } = settingsOf(await readRealm(tx));
  const own = ownText ?? welcome_message_custom_text;
  const { greeting } = wordsOf({ language: default_language });
  const content = own === '' ? greeting : `${greeting}\n\n${own}`;
  await queueDirectNotices(tx, [{ userId: user.id, content }], SystemBot.welcome.full_name);
}
