import { accessBot, BotType, NoSuchWebhook } from '#features/bots';
import { subscribersOf } from '#features/channels';
import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { ChannelId, UserId } from '#kernel/ids';
import { compilePattern } from '#kernel/markdown';
import type { RealmWriteTx } from '#kernel/store';
import { accessToAdd, accessToChange } from './access.ts';
import { PatternRefused, RuleMissing, TooManyRules, WordsOrPattern } from './errors.ts';
import { ruleAdded, ruleRemoved } from './events.ts';
import { deleteRule, insertRule, listRules } from './queries.ts';
import type { ChannelRuleId, ChannelRuleRow } from './tables.ts';
import { toWireRule } from './wire.ts';

/** Most rules of one channel. */
const MAX_RULES = 10;

/** A rule as it is made. */
export interface NewRule {
  readonly bot_id: UserId;
  readonly words: readonly string[];
  readonly pattern: string | undefined;
}

/** Has messages of a channel that match call a bot's address. See protocol/bots#channel-rules. */
export async function addRule(
  context: Context,
  actor: Actor,
  channelId: ChannelId,
  { bot_id, words, pattern }: NewRule,
): Promise<ChannelRuleRow> {
  const fault = patternFault(words, pattern);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessToAdd(tx, channelId);
    const bot = await accessBot(tx, bot_id);
    if (bot.bot_type !== BotType.outgoingWebhook) throw NoSuchWebhook();
    if (fault) throw fault;
    if ((await listRules(tx, channel.id)).length >= MAX_RULES) throw TooManyRules({ max: MAX_RULES });
    const row = await insertRule(tx, {
      realm_id: actor.realmId,
      channel_id: channel.id,
      bot_id,
      words,
      pattern: pattern ?? null,
      creator_id: actor.userId,
      date_created: tx.now,
    });
    tx.emit(ruleAdded(actor.realmId, { channel_rule: toWireRule(row) }, await audienceOf(tx, channel.id)));
    return row;
  });
}

/** What is wrong with what a rule waits for. */
function patternFault(words: readonly string[], pattern: string | undefined) {
  if (words.length > 0 === (pattern !== undefined)) return WordsOrPattern();
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  return compiled && 'fault' in compiled ? PatternRefused({ fault: compiled.fault }) : undefined;
}

/** Takes a rule from a channel. See protocol/bots#channel-rules. */
export function removeRule(context: Context, actor: Actor, channelId: ChannelId, id: ChannelRuleId): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const { channel } = await accessToChange(tx, channelId);
    if (!(await deleteRule(tx, channel.id, id))) throw RuleMissing();
    const gone = { stream_id: channel.id, channel_rule_id: id };
    tx.emit(ruleRemoved(actor.realmId, gone, await audienceOf(tx, channel.id)));
  });
}

/** Who reads a channel is told what its messages are handed to. */
async function audienceOf(tx: RealmWriteTx, channelId: ChannelId) {
  const users = (await subscribersOf(tx, [channelId])).get(channelId) ?? [];
  return { audience: { users } };
}
