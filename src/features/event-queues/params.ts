import { json, lenient, optional, withDefault } from '#kernel/endpoint';
import { CAPABILITIES } from '#kernel/events';
import { recordOf } from '#kernel/ids';
import { anyOf, bool, int, lenientObject, list, literal, maybe, oneOf, text, transformed } from '#kernel/schema';
import { MAX_IDLE_SECONDS, MOBILE_IDLE_SECONDS } from './register.ts';

const { notification_settings_null: _required, ...optionalCapabilities } = recordOf(CAPABILITIES, () => maybe(bool()));

/** Most names in a list of event types, and the longest of them, in code points. */
const MAX_NAMES = 500;
const MAX_NAME = 100;
/** Most terms of a narrow, and the longest word of one, in code points. */
const MAX_TERMS = 100;
const MAX_OPERAND = 1000;
/** Most code points of all terms of a narrow together: each queue keeps its own, and an account has thousands. */
export const MAX_NARROW = 1000;

const idleTimeout = transformed(anyOf(literal('mobile'), int({ min: 1 })), (value) =>
  value === 'mobile' ? MOBILE_IDLE_SECONDS : Math.min(Number(value), MAX_IDLE_SECONDS),
);

/** Parameters of registering a queue. See protocol/register#parameters. */
export const registerParams = {
  apply_markdown: withDefault(json(bool(), 'Whether messages in events come as HTML.'), false),
  client_gravatar: optional(json(bool(), 'Whether gravatars may be left for the client to work out.')),
  include_subscribers: withDefault(
    lenient(transformed(anyOf(bool(), oneOf('true', 'false', 'partial')), subscribersWord)),
    'false' as const,
  ),
  slim_presence: withDefault(json(bool()), false),
  presence_history_limit_days: withDefault(json(int()), 14),
  event_types: optional(json(list(text({ max: MAX_NAME }), { max: MAX_NAMES }), 'Events to receive; all when absent.')),
  fetch_event_types: optional(
    json(list(text({ max: MAX_NAME }), { max: MAX_NAMES }), 'State to fetch; `event_types` when absent.'),
  ),
  all_public_streams: optional(json(bool())),
  narrow: withDefault(json(list(list(text({ max: MAX_OPERAND }), { max: 10 }), { max: MAX_TERMS })), []),
  client_capabilities: optional(json(lenientObject({ notification_settings_null: bool(), ...optionalCapabilities }))),
  idle_queue_timeout: optional(lenient(idleTimeout, 'Seconds an idle queue lives, or `mobile`.')),
};

function subscribersWord(value: boolean | 'true' | 'false' | 'partial'): 'true' | 'false' | 'partial' {
  if (value === 'partial') return value;
  return value === true || value === 'true' ? 'true' : 'false';
}
