import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { TooManyAlertWords } from './errors.ts';
import { alertWordsChanged } from './events.ts';
import { deleteWords, insertWords, listWords } from './queries.ts';
import { MAX_WORDS, newWords } from './rules.ts';

/** Adds words to the actor's alert words; returns all of them. See protocol/settings#alert-words. */
export function addWords(context: Context, actor: Actor, sent: readonly string[]): Promise<readonly string[]> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const known = await listWords(tx);
    const added = newWords(known, sent);
    if (added.length === 0) return known;
    if (known.length + added.length > MAX_WORDS) throw TooManyAlertWords();
    await insertWords(tx, added);
    return announce(tx);
  });
}

/** Removes words from the actor's alert words; returns those that are left. See protocol/settings#alert-words. */
export function removeWords(context: Context, actor: Actor, sent: readonly string[]): Promise<readonly string[]> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const words = sent.map((word) => word.trim());
    const removed = await deleteWords(tx, words);
    return removed === 0 ? listWords(tx) : announce(tx);
  });
}

async function announce(tx: ActorWriteTx): Promise<readonly string[]> {
  const alert_words = await listWords(tx);
  tx.emit(alertWordsChanged({ alert_words: [...alert_words] }, { audience: { users: [tx.actor.userId] } }));
  return alert_words;
}
