import { event } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { idOf } from '#kernel/schema';
import type { ChannelRuleId } from './tables.ts';
import { wireRule } from './wire.ts';

const source = 'protocol/bots#channel-rules';
const stale = 'the rules of a channel are fetched';

/** A rule was added; sent to the channel's subscribers. */
export const ruleAdded = event({
  type: 'channel_rule',
  op: 'add',
  source,
  stale,
  payload: { channel_rule: wireRule },
  audit: ({ channel_rule }) => ({
    action: 'channel.rule_added',
    target: { kind: 'channel', id: channel_rule.stream_id },
    after: channel_rule,
  }),
});

/** A rule was removed; sent to the channel's subscribers. */
export const ruleRemoved = event({
  type: 'channel_rule',
  op: 'remove',
  source,
  stale,
  payload: { stream_id: idOf<ChannelId>(), channel_rule_id: idOf<ChannelRuleId>() },
  audit: ({ stream_id: id, channel_rule_id }) => ({
    action: 'channel.rule_removed',
    target: { kind: 'channel', id },
    before: { channel_rule_id },
  }),
});

export const ruleEvents = [ruleAdded, ruleRemoved];
