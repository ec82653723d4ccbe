import { takeAlert } from '#features/bots';
import { channelMissed, messagePosted } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { findUser } from '#features/users';
import type { ActorWriteTx } from '#kernel/auth';
import { on } from '#kernel/slice';

/**
 * Notifies a bot's owner when its messages reach nobody, at most once in five minutes. See protocol/messages#addresses.
 */
export const botAlerts = [
  on(channelMissed, async (tx, { address }) => {
    const where = 'id' in address ? `the channel with the ID ${address.id}` : `the channel ${code(address.name)}`;
    await alert(tx, `${where}, which does not exist.`);
  }),
  on(messagePosted, (tx, { channel }) => {
    if (!tx.actor.isBot || !channel || channel.subscriber_count > 0) return undefined;
    return alert(tx, `the channel #**${channel.name}**, which has no subscribers.`);
  }),
];

async function alert(tx: ActorWriteTx, where: string): Promise<void> {
  const { actor } = tx;
  if (actor.botOwnerId === null) return;
  const owner = await findUser(tx, actor.botOwnerId);
  if (!owner?.is_active || !(await takeAlert(tx))) return;
  const content = `Your bot ${code(actor.email)} sent a message to ${where}`;
  await queueDirectNotices(tx, [{ userId: owner.id, content }]);
}

/** Formats a text as inline code whose fence is longer than any run of backticks in it. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`;
}
