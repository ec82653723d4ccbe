import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { TooManyAlertWords } from './errors.ts';
import { alertWordsChanged } from './events.ts';
import { deleteWords, insertWords, listWords } from './queries.ts';
import { MAX_WORDS, newWords } from './rules.ts';

/** Adds words to those the actor watches for; all of them afterwards. See protocol/settings#alert-words. */
export function addWords(context: Context, actor: Actor, sent: readonly string[]): Promise<readonly string[]> {
  const { realmId, userId } = actor;
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const known = await listWords(tx, userId);
    const added = newWords(known, sent);
    if (added.length === 0) return known;
    if (known.length + added.length > MAX_WORDS) throw TooManyAlertWords();
    await insertWords(tx, { realm_id: realmId, user_id: userId }, added);
    return announce(tx);
  });
}

/** Removes words from those the actor watches for; the rest. See protocol/settings#alert-words. */
export function removeWords(context: Context, actor: Actor, sent: readonly string[]): Promise<readonly string[]> {
  const { userId } = actor;
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const words = sent.map((word) => word.trim());
    const removed = await deleteWords(tx, userId, words);
    return removed === 0 ? listWords(tx, userId) : announce(tx);
  });
}

async function announce(tx: ActorWriteTx): Promise<readonly string[]> {
  const { realmId, userId } = tx.actor;
  const alert_words = await listWords(tx, userId);
  tx.emit(alertWordsChanged(realmId, { alert_words: [...alert_words] }, { audience: { users: [userId] } }));
  return alert_words;
}
