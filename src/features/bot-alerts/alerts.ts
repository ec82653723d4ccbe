import { takeAlert } from '#features/bots';
import { channelLink, channelMissed, messagePosted } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { findUser } from '#features/users';
import type { ActorWriteTx } from '#kernel/auth';
import { on } from '#kernel/slice';
import { wordsOf } from './words.ts';

/**
 * Notifies a bot's owner when its messages reach nobody, at most once in five minutes. See protocol/messages#addresses.
 */
export const botAlerts = [
  on(channelMissed, async (tx, { address }) => {
    const words = wordsOf(tx.realm);
    await alert(tx, (bot) =>
      'id' in address ? words.missingId(bot, address.id) : words.missing(bot, code(address.name)),
    );
  }),
  on(messagePosted, (tx, { channel }) => {
    if (!tx.actor.isBot || !channel || channel.subscriber_count > 0) return undefined;
    return alert(tx, (bot) => wordsOf(tx.realm).deserted(bot, channelLink(channel)));
  }),
];

async function alert(tx: ActorWriteTx, say: (bot: string) => string): Promise<void> {
  const { actor } = tx;
  if (actor.botOwnerId === null) return;
  const owner = await findUser(tx, actor.botOwnerId);
  if (!owner?.is_active || !(await takeAlert(tx))) return;
  await queueDirectNotices(tx, [{ userId: owner.id, content: say(code(actor.email)) }]);
}

/** Formats a text as inline code whose fence is longer than any run of backticks in it. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`;
}
