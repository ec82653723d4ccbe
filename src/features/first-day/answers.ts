import { messagePosted } from '#features/messages';
import { queueDirectNotices } from '#features/notices';
import { SystemBot, type UserRow } from '#features/users';
import { on } from '#kernel/slice';
import { answerTo, wordsOf } from './words/index.ts';

/**
 * The welcome bot answers direct messages of people who write to it alone. It does not answer bots, or two of them
 * would reply to each other forever. See protocol/messages#effects.
 */
export const answerWords = on(messagePosted, (tx, { message, people }) => {
  if (tx.actor.isBot || people?.length !== 2 || !people.some(isWelcomeBot)) return undefined;
  const answer = { userId: tx.actor.userId, content: answerTo(wordsOf(tx.realm), message.content) };
  return queueDirectNotices(tx, [answer], SystemBot.welcome.full_name);
});

function isWelcomeBot(user: UserRow): boolean {
  return user.is_system_bot && user.full_name === SystemBot.welcome.full_name;
}
