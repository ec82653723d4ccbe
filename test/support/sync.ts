import { applyAlertWordsEvent } from '#features/alert-words';
import { applyBotEvent } from '#features/bots';
import { applyCommandEvent } from '#features/bot-commands';
import { applyFolderEvent } from '#features/channel-folders';
import { applyDomainEvent } from '#features/email-domains';
import { applyEmojiEvent } from '#features/emoji';
import { applyLinkifierEvent } from '#features/linkifiers';
import { applyPlaygroundEvent } from '#features/playgrounds';
import { applyChannelEvent, applyDefaultsEvent } from '#features/channels';
import { applyDefaultGroupsEvent } from '#features/default-channel-groups';
import { applyMutedUsersEvent } from '#features/muted-users';
import { applyProfileEvent } from '#features/profile-fields';
import { applyDeviceEvent } from '#features/push-devices';
import { applyMessageEvent, applyNewestEvent } from '#features/messages';
import { applyTopicEvent } from '#features/topics';
import { applyRealmEvent } from '#features/realm-settings';
import { applyReminderEvent } from '#features/reminders';
import { applyScheduledEvent } from '#features/scheduled-messages';
import { applySettingEvent } from '#features/user-settings';
import { applyUserEvent } from '#features/users';
import { applyGroupEvent } from '#features/groups';
import { applyDraftsEvent } from '#features/drafts';
import { applyViewEvent } from '#features/navigation-views';
import { applySnippetEvent } from '#features/saved-snippets';
import { applyStepsEvent } from '#features/onboarding-steps';
import { applyZoomTokenEvent } from '#features/video-calls';
import { expect } from 'vitest';
import type { Body, Client, Parameters } from './client.ts';

/** How the events of some types change the register fields they keep fresh. */
interface Applier {
  /** Event types, by `type`. */
  readonly types: readonly string[];
  /** Register fields that the events keep fresh. */
  readonly fields: readonly string[];
  readonly apply: (state: Body, event: Body, me: number) => Body;
}

/** An applier of a slice's `apply.ts`, its types forgotten: a test feeds it what came over the wire. */
const applier = (
  types: readonly string[],
  fields: readonly string[],
  apply: (state: never, event: never, me: never) => object,
): Applier => ({
  types,
  fields,
  apply: (state, event, me) => ({ ...state, ...apply(state as never, event as never, me as never) }),
});

/** Settings of the organization that a test changes; the older, derived names have no events. */
const REALM_FIELDS = [
  'realm_name',
  'realm_description',
  'realm_allow_edit_history',
  'realm_can_mention_many_users_group',
  'realm_enable_read_receipts',
  'realm_jitsi_server_url',
  'jitsi_server_url',
  'realm_mandatory_topics',
  'realm_message_edit_history_visibility_policy',
  'realm_message_retention_days',
  'realm_topics_policy',
  'realm_waiting_period_threshold',
];

/** What a viewer knows of people, and of itself. */
const USER_FIELDS = [
  'realm_users',
  'realm_non_active_users',
  'email',
  'delivery_email',
  'full_name',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'is_admin',
  'is_owner',
  'is_moderator',
  'is_guest',
];

const APPLIERS: readonly Applier[] = [
  applier(['onboarding_steps'], ['onboarding_steps'], applyStepsEvent),
  applier(['saved_snippets'], ['saved_snippets'], applySnippetEvent),
  applier(['bot_command'], ['bot_commands'], applyCommandEvent),
  applier(['navigation_view'], ['navigation_views'], applyViewEvent),
  applier(['drafts', 'user_settings'], ['drafts'], applyDraftsEvent),
  applier(['muted_topics', 'user_topic'], ['muted_topics', 'user_topics'], applyTopicEvent),
  applier(['has_zoom_token'], ['has_zoom_token'], applyZoomTokenEvent),
  applier(['alert_words'], ['alert_words'], applyAlertWordsEvent),
  applier(['device'], ['devices'], applyDeviceEvent),
  applier(['scheduled_messages'], ['scheduled_messages'], applyScheduledEvent),
  applier(['reminders'], ['reminders'], applyReminderEvent),
  applier(['muted_users'], ['muted_users'], applyMutedUsersEvent),
  applier(['user_group', 'realm_user'], ['realm_user_groups'], applyGroupEvent),
  applier(['realm_user'], USER_FIELDS, applyUserEvent),
  applier(['custom_profile_fields', 'realm_user'], ['custom_profile_fields'], applyProfileEvent),
  applier(['realm'], REALM_FIELDS, applyRealmEvent),
  applier(['default_streams'], ['realm_default_streams'], applyDefaultsEvent),
  applier(['default_stream_groups'], ['realm_default_stream_groups'], applyDefaultGroupsEvent),
  applier(['channel_folder'], ['channel_folders'], applyFolderEvent),
  applier(['realm_linkifiers'], ['realm_linkifiers'], applyLinkifierEvent),
  applier(['realm_playgrounds'], ['realm_playgrounds'], applyPlaygroundEvent),
  applier(['realm_bot'], ['realm_bots'], applyBotEvent),
  applier(['realm_domains'], ['realm_domains'], applyDomainEvent),
  applier(['realm_emoji'], ['realm_emoji'], applyEmojiEvent),
  applier(
    ['stream', 'subscription'],
    ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'],
    applyChannelEvent,
  ),
  // After channels and topics: what is muted decides what counts.
  applier(
    ['message', 'update_message', 'update_message_flags', 'delete_message', 'user_topic', 'subscription', 'stream'],
    ['unread_msgs', 'starred_messages'],
    applyMessageEvent,
  ),
  applier(
    ['message', 'update_message', 'delete_message', 'subscription', 'stream', 'realm_user', 'user_group'],
    ['max_message_id', 'recent_private_conversations'],
    applyNewestEvent,
  ),
  applier(
    ['user_settings', 'realm_user_settings_defaults'],
    ['user_settings', 'realm_user_settings_defaults'],
    applySettingEvent,
  ),
];

/** All fields that some slice's events keep fresh. */
export const syncedFields = (): readonly string[] => APPLIERS.flatMap((one) => one.fields);

/** The register parameters with which laws are tested unless a test says otherwise. */
export const MODERN = {
  include_subscribers: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
} satisfies Parameters;

interface LawOptions {
  /** Parameters of registering; a modern client's when absent. */
  readonly parameters?: Parameters;
  /** Fields to compare; all those that some slice's events keep fresh when absent. */
  readonly fields?: readonly string[];
  /** Whether the events have to tell all of the fields; otherwise those they do not tell are not compared. */
  readonly isWhole?: boolean;
}

/**
 * The law of sync for each viewer: state at registering, plus the events of `act`, is the state of registering again.
 * Returns each viewer's events.
 */
export async function expectSync(
  viewers: readonly Client[],
  act: () => Promise<unknown>,
  options: LawOptions = {},
): Promise<readonly Body[][]> {
  const parameters = options.parameters ?? MODERN;
  const queues = await Promise.all(viewers.map((viewer) => viewer.register(parameters)));
  await act();
  const all: Body[][] = [];
  for (const [index, queue] of queues.entries()) {
    const viewer = viewers[index];
    if (!viewer) continue;
    const events = await queue.events();
    const kept = events.reduce((state, event) => applyEvent(state, event, viewer.userId), queue.state);
    const { state } = await viewer.register(parameters);
    const wanted = options.fields ?? syncedFields();
    const fields = options.isWhole ? wanted : toldFields(kept, wanted);
    expect(pick(kept, fields), `the state of user ${viewer.userId} after its events`).toEqual(pick(state, fields));
    all.push(events);
  }
  return all;
}

/** The fields of a state but for those of which its events did not tell enough. */
export const toldFields = (state: Body, fields: readonly string[]): readonly string[] =>
  fields.filter((field) => !(field in state) || state[field] !== undefined);

/** State after an event, as far as slices say how it changes. */
export function applyEvent(state: Body, event: Body, me: number): Body {
  return APPLIERS.filter((one) => one.types.includes(event['type'])).reduce(
    (kept, one) => one.apply(kept, event, me),
    state,
  );
}

/** These fields of a state, those that it has. */
export function pick(state: Body, fields: readonly string[]): Body {
  return Object.fromEntries(fields.filter((field) => field in state).map((field) => [field, state[field]]));
}
