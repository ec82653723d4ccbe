import { tellLater } from '#features/notices';
import { readRealm, settingsOf } from '#features/realms';
import { SystemBot, type UserRow } from '#features/users';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { GREETING } from './words.ts';

/**
 * Has the welcome bot write to a new person once this transaction is committed: how to begin, and the organization's own
 * text. `ownText` takes its place where an invitation brings one; an empty one says nothing.
 */
export async function greet(
  context: Context,
  tx: RealmWriteTx,
  user: UserRow,
  ownText: string | null = null,
): Promise<void> {
  const own = ownText ?? settingsOf(await readRealm(tx)).welcome_message_custom_text;
  const content = own === '' ? GREETING : `${GREETING}\n\n${own}`;
  await tellLater(context, tx, [{ userId: user.id, content }], SystemBot.welcome.full_name);
}
