import { accessChannelContent } from '#features/channels';
import { findMessages, messagePosted } from '#features/messages';
import { callJob } from '#features/outgoing-webhooks';
import { withRealm } from '#features/realms';
import { actorOf, findUsers } from '#features/users';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { defineJob, enqueue, enqueueAll } from '#kernel/jobs';
import { compilePattern } from '#kernel/markdown';
import { on } from '#kernel/slice';
import { actingAs, type RealmReadTx, together } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { anyRule, listRules } from './queries.ts';
import type { ChannelRuleRow } from './tables.ts';

type Waiting = Pick<ChannelRuleRow, 'words' | 'pattern'>;

const LETTER = /[\p{L}\p{N}_]/u;

/**
 * Returns the rules that match a text. Yields to other work after each rule: one may take as long as a request may, ten
 * may not.
 */
export async function matchesAmong<T extends Waiting>(rules: readonly T[], content: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (const rule of rules) {
    if (isMatch(rule, content)) found.push(rule);
    await new Promise(setImmediate);
  }
  return found;
}

/** Whether a rule matches a message's text. See protocol/bots#channel-rules. */
export function isMatch({ words, pattern }: Waiting, content: string): boolean {
  if (pattern === null) {
    const folded = foldCase(content);
    return words.some((word) => holdsWord(folded, foldCase(word)));
  }
  const compiled = compilePattern(pattern);
  // A stored pattern can be invalid now: the bounds of patterns may have become narrower since.
  return !('fault' in compiled) && compiled.search(content) !== undefined;
}

/** Whether a word occurs in a text with no letter, digit or underscore on either side. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text.charAt(at + word.length);
    if (!LETTER.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}

/** The client name under which messages are read for rules. */
const CLIENT = 'ChannelRules';

/** A message that was posted to a channel with rules. */
interface Arrived {
  readonly message_id: MessageId;
  readonly channel_id: ChannelId;
}

/**
 * Matches a message against its channel's rules, outside of the transaction that sends it, and enqueues the calls of
 * the bots in the transaction that finishes this job, so that each call is made once however often the server stops.
 * See protocol/bots#channel-rules.
 */
export const matchJob = defineJob<Arrived, Context>('channel-rules', async ({ message_id, channel_id }, job) => {
  const { context, realmId, finish } = job;
  const { message, rules } = await context.store.of(realmId).read(async (tx) => ({
    message: (await findMessages(tx, [message_id]))[0],
    rules: await listRules(tx, channel_id),
  }));
  // The message may have been moved to another channel, whose people did not make these rules.
  const isThere = message !== undefined && message.channel_id === channel_id;
  const matching = isThere ? await matchesAmong(rules, message.content) : [];
  const readers = await context.store
    .of(realmId)
    .read((tx) => readersAmong(context, tx, channel_id, [...new Set(matching.map((rule) => rule.creator_id))]));
  const calls = matching
    .filter((rule) => readers.has(rule.creator_id))
    .map(({ bot_id, id, creator_id }) => ({
      bot_id,
      owner_id: creator_id,
      message_id,
      trigger: 'rule' as const,
      rule_id: id,
    }));
  await context.store.of(realmId).write(async (tx) => {
    await enqueueAll(tx, callJob, calls);
    await finish(tx);
  });
});

/** Returns which makers of rules may still read the channel: a rule ends with its maker's access. */
async function readersAmong(
  context: Context,
  tx: RealmReadTx,
  channelId: ChannelId,
  makers: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (makers.length === 0) return new Set();
  const own = await withRealm(context, tx);
  const active = [...(await findUsers(tx, makers)).values()].filter((user) => user.is_active);
  const readers = await together(
    active.map(async (user) => {
      try {
        await accessChannelContent(actingAs(own, { ...actorOf(user, own.realm, own.now), client: CLIENT }), channelId);
        return [user.id];
      } catch (error) {
        if (error instanceof ApiError) return [];
        throw error;
      }
    }),
  );
  return new Set(readers.flat());
}

/** Messages of bots match no rule: a bot that a rule calls may reply in the same channel. */
export const matchWhenPosted = on(messagePosted, async (tx, { message, channel }) => {
  if (!channel || tx.actor.isBot) return;
  const any = await anyRule(tx, channel.id);
  if (any.length === 0) return;
  await enqueue(tx, matchJob, { message_id: message.id, channel_id: channel.id });
});
