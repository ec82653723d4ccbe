import { InvalidMessage } from '#features/messages';
import { REPORT_REASONS } from '#features/realm-settings';
import { endpoint, everyone, path, raw, withDefault } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { idOf, oneOf, text } from '#kernel/schema';
import { reportMessage } from './actions.ts';
import { ExplanationRequired, NoModerationChannel } from './errors.ts';

/** Longest explanation, in code points. See protocol/reactions#reports. */
const MAX_DESCRIPTION = 1000;

export const reportMessageEndpoint = endpoint({
  id: 'report-message',
  method: 'POST',
  path: '/messages/{message_id}/report',
  source: 'protocol/reactions#reports',
  since: 382,
  doc: "Reports a message to the organization's moderators.",
  who: everyone,
  params: {
    message_id: path(idOf<MessageId>()),
    report_type: raw(oneOf(...REPORT_REASONS)),
    description: withDefault(raw(text({ max: MAX_DESCRIPTION }), 'Required for `other`.'), ''),
  },
  returns: {},
  fails: [NoModerationChannel, ExplanationRequired, InvalidMessage],
  async run({ actor, params, context }) {
    await reportMessage(context, actor, params);
    return {};
  },
});
