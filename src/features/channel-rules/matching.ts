import { accessChannelContent } from '#features/channels';
import { findMessages, messagePosted } from '#features/messages';
import { callJob } from '#features/outgoing-webhooks';
import { readRealm, realmRefOf } from '#features/realms';
import { actorOf, findUsers } from '#features/users';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import { compilePattern } from '#kernel/markdown';
import { on } from '#kernel/slice';
import { actingAs, type RealmReadTx, together } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { anyRule, listRules } from './queries.ts';
import type { ChannelRuleRow } from './tables.ts';

type Waiting = Pick<ChannelRuleRow, 'words' | 'pattern'>;

const LETTER = /[\p{L}\p{N}_]/u;

/** The rules that wait for a text. Others get their turn after each: one may take what a request may, ten may not. */
export async function matchesAmong<T extends Waiting>(rules: readonly T[], content: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (const rule of rules) {
    if (isMatch(rule, content)) found.push(rule);
    await new Promise(setImmediate);
  }
  return found;
}

/** Whether a message's text is one that a rule waits for. See protocol/bots#channel-rules. */
export function isMatch({ words, pattern }: Waiting, content: string): boolean {
  if (pattern === null) {
    const folded = foldCase(content);
    return words.some((word) => holdsWord(folded, foldCase(word)));
  }
  const compiled = compilePattern(pattern);
  // The bounds of patterns may have become narrower since this one was stored.
  return !('fault' in compiled) && compiled.search(content) !== undefined;
}

/** Whether words stand in a text with no letter, digit or underscore on either side. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text.charAt(at + word.length);
    if (!LETTER.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}

/** What looks at rights here, as a program's name. */
const CLIENT = 'ChannelRules';

/** A message that has come to a channel with rules. */
interface Arrived {
  readonly message_id: MessageId;
  readonly channel_id: ChannelId;
}

/**
 * Looks which rules of its channel a message matches, outside of the transaction that sends it, and has their bots called:
 * the calls are stored as this job ends, so that each is made however often the server stops. See protocol/bots#channel-rules.
 */
export const matchJob = defineJob<Arrived, Context>('channel-rules', async ({ message_id, channel_id }, job) => {
  const { context, realmId, finish } = job;
  const { message, rules } = await context.store.of(realmId).read(async (tx) => ({
    message: (await findMessages(tx, [message_id]))[0],
    rules: await listRules(tx, channel_id),
  }));
  // It may have been moved to a channel whose people made no such rule.
  const isThere = message !== undefined && message.channel_id === channel_id;
  const matching = isThere ? await matchesAmong(rules, message.content) : [];
  const readers = await context.store
    .of(realmId)
    .read((tx) => readersAmong(tx, channel_id, [...new Set(matching.map((rule) => rule.creator_id))]));
  const calls = matching
    .filter((rule) => readers.has(rule.creator_id))
    .map(({ bot_id, id }) => ({ bot_id, message_id, trigger: 'rule' as const, rule_id: id }));
  await context.store.of(realmId).write(async (tx) => {
    await context.jobs.enqueueAll(tx, callJob, calls);
    await finish(tx);
  });
});

/** Those who made rules and still read the channel: nobody has its messages handed on after they have left it. */
async function readersAmong(
  tx: RealmReadTx,
  channelId: ChannelId,
  makers: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (makers.length === 0) return new Set();
  const realm = realmRefOf(await readRealm(tx));
  const active = [...(await findUsers(tx, makers)).values()].filter((user) => user.is_active);
  const readers = await together(
    active.map(async (user) => {
      try {
        await accessChannelContent(actingAs(tx, { ...actorOf(user, realm, tx.now), client: CLIENT }), channelId);
        return [user.id];
      } catch (error) {
        if (error instanceof ApiError) return [];
        throw error;
      }
    }),
  );
  return new Set(readers.flat());
}

/** What bots say matches nothing: what a rule calls may answer where it stands. */
export const matchWhenPosted = on(messagePosted, async (context, tx, { message, channel }) => {
  if (!channel || tx.actor.isBot) return;
  const any = await anyRule(tx, channel.id);
  if (any.length === 0) return;
  await context.jobs.enqueue(tx, matchJob, { message_id: message.id, channel_id: channel.id });
});
