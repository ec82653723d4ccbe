import { BotType } from '#features/bots';
import { commandIn, findBotOfCommand } from '#features/bot-commands';
import { messagePosted } from '#features/messages';
import { findUsers, type UserRow } from '#features/users';
import type { UserId } from '#kernel/ids';
import { enqueueAll } from '#kernel/jobs';
import { on } from '#kernel/slice';
import type { RealmWriteTx } from '#kernel/store';
import { callJob } from './call.ts';
import type { Call } from './prepare.ts';

/**
 * Queues calls of the outgoing webhooks that a message is for: bots mentioned in a channel, subscribed or not,
 * recipients of a direct message, and the bot whose command it gives. Messages of bots call nobody, or two bots would
 * talk forever. See protocol/bots#outgoing-webhooks.
 */
export const callBots = on(messagePosted, async (tx, { message, people, rendered }) => {
  if (tx.actor.isBot) return;
  const command = commandIn(message.content);
  const commanded = command === undefined ? undefined : await findBotOfCommand(tx, command);
  const named = people ? [] : [...rendered.mentionedUserIds];
  const trigger = people ? ('direct_message' as const) : ('mention' as const);
  const candidates = await candidatesAmong(tx, people, commanded === undefined ? named : [...named, commanded]);
  const calls = candidates.filter(isCallable).map(
    (bot): Call => ({
      bot_id: bot.id,
      owner_id: bot.bot_owner_id,
      message_id: message.id,
      ...(command !== undefined && bot.id === commanded ? { trigger: 'command', command } : { trigger }),
    }),
  );
  await enqueueAll(tx, callJob, calls);
});

/** The people of a direct message and the users with the IDs, each once. */
async function candidatesAmong(
  tx: RealmWriteTx,
  people: readonly UserRow[] = [],
  ids: readonly UserId[],
): Promise<readonly UserRow[]> {
  const missing = ids.filter((id) => !people.some((one) => one.id === id));
  if (missing.length === 0) return people;
  return [...people, ...(await findUsers(tx, missing)).values()];
}

function isCallable(user: UserRow): boolean {
  return user.is_active && !user.is_system_bot && user.bot_type === BotType.outgoingWebhook;
}
