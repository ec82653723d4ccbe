import { CAPABILITIES } from '#kernel/events';
import { typesChanging } from '#kernel/slice';
import { features } from '../../../src/features.ts';
import type { Parameters } from '../../support/client.ts';
import { MODERN, syncedFields } from '../../support/sync.ts';
import type { Picks } from './picks.ts';

/** How a client registers, and which fields the events of its queue keep. */
export interface View {
  readonly parameters: Parameters;
  readonly has: (capability: string) => boolean;
  readonly fields: readonly string[];
  /** Whether the queue has every event. */
  readonly isWhole: boolean;
}

/** What `message` events keep, which a narrow leaves out. */
const OF_MESSAGES = ['unread_msgs', 'max_message_id', 'recent_private_conversations'];
const STATES = features.flatMap(({ state }) => state);
const APPLIERS = features.flatMap(({ applies }) => applies);
const WORDS = [...new Set(STATES.map(({ fetchType }) => fetchType))];

/** Words whose state is kept only together with that of others: muted messages do not count, and values need fields. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  message: ['realm_user', 'stream', 'subscription', 'update_message_flags', 'user_topic', 'custom_profile_fields'],
  recent_private_conversations: ['realm_user', 'subscription', 'stream', 'custom_profile_fields'],
  starred_messages: ['message', 'realm_user', 'stream', 'subscription', 'user_topic', 'custom_profile_fields'],
  realm_user: ['custom_profile_fields'],
};

/** A client that declares everything and asks for everything. */
export const MODERN_VIEW: View = {
  parameters: MODERN,
  has: (capability) => capability in MODERN.client_capabilities,
  fields: syncedFields(),
  isWhole: true,
};

/** An arbitrary client; one of three is modern. */
export function someView(p: Picks): View {
  if (p.below(3) === 0) return MODERN_VIEW;
  const capabilities = p.of([[], p.some(CAPABILITIES), p.some(CAPABILITIES), CAPABILITIES]);
  const narrow = p.of([[], [], [['is', 'dm']], [['topic', p.topic()]]]);
  const words = p.yes() ? undefined : p.some(p.some(WORDS));
  const { fields, fetched } = asked(words);
  const parameters = {
    include_subscribers: p.of(['true', 'false', 'partial']),
    client_gravatar: p.yes(),
    slim_presence: p.yes(),
    apply_markdown: p.yes(),
    all_public_streams: p.yes(),
    ...(narrow.length > 0 && { narrow }),
    ...fetched,
    ...(capabilities.length > 0 && { client_capabilities: declared(capabilities) }),
  };
  return {
    parameters,
    has: (capability) => capabilities.some((one) => one === capability),
    isWhole: narrow.length === 0 && !words,
    fields: fields.filter((name) => narrow.length === 0 || !OF_MESSAGES.includes(name)),
  };
}

const declared = (capabilities: readonly string[]) => ({
  notification_settings_null: false,
  ...Object.fromEntries(capabilities.map((name) => [name, true])),
});

/** The fields of some words, and the events that keep them. */
function asked(words: readonly string[] | undefined) {
  if (!words) return { fields: syncedFields() };
  const all = new Set(words.flatMap((word) => [word, ...(NEEDED[word] ?? [])]));
  const states = STATES.filter((one) => [one.fetchType, ...(one.alsoNeeds ?? [])].every((word) => all.has(word)));
  const fields = states.flatMap((one) => Object.keys(one.fields)).filter((name) => syncedFields().includes(name));
  return { fields, fetched: { fetch_event_types: [...all], event_types: typesChanging(fields, APPLIERS) } };
}
