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

/** The request for a new rule. */
export interface NewRule {
  readonly stream_id: ChannelId;
  readonly bot_id: UserId;
  readonly words: readonly string[];
  readonly pattern: string | undefined;
}

/** Adds a rule: messages of a channel that match are sent to a bot's address. See protocol/bots#channel-rules. */
export async function addRule(context: Context, actor: Actor, input: NewRule): Promise<ChannelRuleRow> {
  const { bot_id, words, pattern } = input;
  const fault = patternFault(words, pattern);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessToAdd(tx, input.stream_id);
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
    tx.emit(ruleAdded({ channel_rule: toWireRule(row) }, await audienceOf(tx, channel.id)));
    return row;
  });
}

/** Returns the error for a rule's words or pattern, if there is one. */
function patternFault(words: readonly string[], pattern: string | undefined) {
  if (words.length > 0 === (pattern !== undefined)) return WordsOrPattern();
  const compiled = pattern === undefined ? undefined : compilePattern(pattern);
  return compiled && 'fault' in compiled ? PatternRefused({ fault: compiled.fault }) : undefined;
}

/** Removes a rule from a channel. See protocol/bots#channel-rules. */
export function removeRule(
  context: Context,
  actor: Actor,
  { stream_id, rule_id }: { readonly stream_id: ChannelId; readonly rule_id: ChannelRuleId },
): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const { channel } = await accessToChange(tx, stream_id);
    if (!(await deleteRule(tx, channel.id, rule_id))) throw RuleMissing();
    const gone = { stream_id: channel.id, channel_rule_id: rule_id };
    tx.emit(ruleRemoved(gone, await audienceOf(tx, channel.id)));
  });
}

/** Subscribers of a channel are told which bots its messages are sent to. */
async function audienceOf(tx: RealmWriteTx, channelId: ChannelId) {
  const users = (await subscribersOf(tx, [channelId])).get(channelId) ?? [];
  return { audience: { users } };
}
