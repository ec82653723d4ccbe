import type { GroupSettingValue } from '#kernel/permissions';
import type { Schema, SchemaOf } from '#kernel/schema';
import type { realmFacts } from '../../src/features/realm-settings/fields.ts';
import type { LIMITS } from '../../src/features/realm-settings/server-facts.ts';
import type { REALM_GROUP_SETTINGS } from '../../src/features/realms/group-settings.ts';
import type { REALM_SETTINGS } from '../../src/features/realms/settings.ts';
import type { UserSettings } from '../../src/features/user-settings/settings.ts';
import type * as alertWords from '../../src/features/alert-words/state.ts';
import type * as bots from '../../src/features/bots/state.ts';
import type * as commands from '../../src/features/bot-commands/state.ts';
import type * as folders from '../../src/features/channel-folders/state.ts';
import type * as channels from '../../src/features/channels/listing/state.ts';
import type * as defaultGroups from '../../src/features/default-channel-groups/state.ts';
import type * as drafts from '../../src/features/drafts/state.ts';
import type * as domains from '../../src/features/email-domains/state.ts';
import type * as emoji from '../../src/features/emoji/state.ts';
import type * as groups from '../../src/features/groups/state.ts';
import type * as linkifiers from '../../src/features/linkifiers/state.ts';
import type * as messages from '../../src/features/messages/state.ts';
import type * as mutedUsers from '../../src/features/muted-users/state.ts';
import type * as views from '../../src/features/navigation-views/state.ts';
import type * as steps from '../../src/features/onboarding-steps/state.ts';
import type * as playgrounds from '../../src/features/playgrounds/state.ts';
import type * as presence from '../../src/features/presence/state.ts';
import type * as profile from '../../src/features/profile-fields/state.ts';
import type * as reminders from '../../src/features/reminders/state.ts';
import type * as snippets from '../../src/features/saved-snippets/state.ts';
import type * as scheduled from '../../src/features/scheduled-messages/state.ts';
import type * as topics from '../../src/features/topics/state.ts';
import type * as status from '../../src/features/user-status/state.ts';
import type * as users from '../../src/features/users/state.ts';

type Modules = [
  typeof alertWords,
  typeof bots,
  typeof commands,
  typeof folders,
  typeof channels,
  typeof defaultGroups,
  typeof drafts,
  typeof domains,
  typeof emoji,
  typeof groups,
  typeof linkifiers,
  typeof messages,
  typeof mutedUsers,
  typeof views,
  typeof steps,
  typeof playgrounds,
  typeof presence,
  typeof profile,
  typeof reminders,
  typeof snippets,
  typeof scheduled,
  typeof topics,
  typeof status,
  typeof users,
][number];

/** The fields of a declared part of the state, or of each part in a list. */
type FieldsOf<T> = T extends { readonly fields: infer F } ? F : T extends readonly (infer U)[] ? FieldsOf<U> : never;
/** All fields that a module declares. */
type Declared<M> = M extends unknown ? FieldsOf<M[keyof M]> : never;
type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Values<F> = { readonly [K in keyof F]: F[K] extends Schema ? SchemaOf<F[K]> : never };

type RealmSettings = {
  readonly [K in keyof typeof REALM_SETTINGS as `realm_${K}`]: SchemaOf<(typeof REALM_SETTINGS)[K]['schema']>;
};
type RealmGroups = { readonly [K in (typeof REALM_GROUP_SETTINGS)[number]['name'] as `realm_${K}`]: GroupSettingValue };
type Limits = { readonly [K in keyof typeof LIMITS]: number };
type Settings = {
  readonly user_settings: UserSettings;
  readonly realm_user_settings_defaults: UserSettings;
};

/** Fields about the queue and the server. */
interface Queue {
  readonly queue_id: string | null;
  readonly last_event_id: number;
  readonly zulip_feature_level: number;
}

/** The register response, as the slices declare it. The request decides which fields are present. */
export type RegisterState = Omit<Values<Merged<Declared<Modules>>>, keyof Settings> &
  Settings &
  RealmSettings &
  RealmGroups &
  Values<typeof realmFacts> &
  Limits &
  Queue;
