import { takeAlert } from '#features/bots';
import type { Integration } from '#features/integrations';
import { quoted, silentMention } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { findUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { refusedIn } from './words.ts';

/** Seconds between two alerts to a bot's owner about what it could not post. See protocol/bots#incoming-webhooks. */
const ALERT_SECONDS = 3600;

/** Tells a bot's owner why a service's request failed; the reply goes to the service, where nobody sees it. */
export async function tellOwner(
  context: Context,
  actor: Actor,
  { title }: Pick<Integration, 'title'>,
  why: string,
): Promise<void> {
  const { botOwnerId } = actor;
  if (botOwnerId === null) return;
  await context.store.as(actor).write(async (tx) => {
    const owner = await findUser(tx, botOwnerId);
    if (!owner?.is_active || !(await takeAlert(tx, ALERT_SECONDS))) return;
    const bot = silentMention({ full_name: actor.fullName, id: actor.userId });
    const content = refusedIn(tx.realm)(bot, title, quoted(why));
    await queueDirectNotices(tx, [{ userId: owner.id, content }]);
  });
}
