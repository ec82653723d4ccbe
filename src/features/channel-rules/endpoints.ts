import { NoSuchBot, NoSuchWebhook } from '#features/bots';
import { InvalidChannelId } from '#features/channels';
import { endpoint, everyone, humanMembers, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { ChannelId, UserId } from '#kernel/ids';
import { idOf, list, text } from '#kernel/schema';
import { accessToSee } from './access.ts';
import { addRule, removeRule } from './actions.ts';
import { PatternRefused, RuleMissing, TooManyRules, WordsOrPattern } from './errors.ts';
import { listRules } from './queries.ts';
import type { ChannelRuleId } from './tables.ts';
import { toWireRule, wireRule } from './wire.ts';

const source = 'protocol/bots#channel-rules';
/** Most words of one rule, and the longest, in code points. */
const MAX_WORDS = 20;
const MAX_WORD = 100;
/** Longest pattern, in code points. */
const MAX_PATTERN = 1000;

const stream_id = path(idOf<ChannelId>());

const getRules = endpoint({
  id: 'get-channel-rules',
  method: 'GET',
  path: '/streams/{stream_id}/rules',
  source,
  doc: 'The rules of a channel: which messages call which bot.',
  who: everyone,
  params: { stream_id },
  returns: { channel_rules: list(wireRule) },
  fails: [InvalidChannelId],
  async run({ actor, params, context }) {
    const rows = await context.store.as(actor).query(async (tx) => {
      const { channel } = await accessToSee(tx, params.stream_id);
      return listRules(tx, channel.id);
    });
    return { channel_rules: rows.map(toWireRule) };
  },
});

const createRule = endpoint({
  id: 'add-channel-rule',
  method: 'POST',
  path: '/streams/{stream_id}/rules',
  source,
  doc: "Adds a rule to a channel: messages that match call one of the caller's outgoing webhook bots.",
  who: humanMembers,
  params: {
    stream_id,
    bot_id: json(idOf<UserId>(), 'The outgoing webhook bot whose address is called.'),
    words: withDefault(
      json(list(text({ trim: true, min: 1, max: MAX_WORD }), { max: MAX_WORDS }), 'Words of which one must be there.'),
      [],
    ),
    pattern: optional(raw(text({ min: 1, max: MAX_PATTERN }), 'Regular expression of RE2 that must match.')),
  },
  returns: { channel_rule: wireRule },
  fails: [
    InvalidChannelId,
    InsufficientPermission,
    NoSuchBot,
    OwnerRequired,
    NoSuchWebhook,
    WordsOrPattern,
    PatternRefused,
    TooManyRules,
  ],
  run: async ({ actor, params, context }) => ({
    channel_rule: toWireRule(await addRule(context, actor, params)),
  }),
});

const deleteRule = endpoint({
  id: 'remove-channel-rule',
  method: 'DELETE',
  path: '/streams/{stream_id}/rules/{rule_id}',
  source,
  doc: 'Removes a rule of a channel.',
  who: humanMembers,
  params: { stream_id, rule_id: path(idOf<ChannelRuleId>()) },
  returns: {},
  fails: [InvalidChannelId, InsufficientPermission, RuleMissing],
  async run({ actor, params, context }) {
    await removeRule(context, actor, params);
    return {};
  },
});

export const ruleEndpoints = [getRules, createRule, deleteRule];
