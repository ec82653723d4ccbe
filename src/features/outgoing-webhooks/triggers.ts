import { BotType } from '#features/bots';
import { messagePosted } from '#features/messages';
import { findUsers, type UserRow } from '#features/users';
import { on } from '#kernel/slice';
import { callJob } from './call.ts';

/**
 * Calls the outgoing webhooks that a message is for: those mentioned in a channel, subscribed or not, and those who are
 * written to. What bots say calls nobody, or two of them would talk for ever. See protocol/bots#outgoing-webhooks.
 */
export const callBots = on(messagePosted, async (context, tx, { realm, actor, message, people, rendered }) => {
  if (actor.isBot) return;
  const named = people ? [] : [...rendered.mentionedUserIds];
  if (!people && named.length === 0) return;
  const candidates = people ?? [...(await findUsers(tx, realm.id, named)).values()];
  const trigger = people ? ('direct_message' as const) : ('mention' as const);
  const calls = candidates.filter(isCallable).map((bot) => ({ bot_id: bot.id, message_id: message.id, trigger }));
  await context.jobs.enqueueAll(tx, realm.id, callJob, calls);
});

function isCallable(user: UserRow): boolean {
  return user.is_active && !user.is_system_bot && user.bot_type === BotType.outgoingWebhook;
}
