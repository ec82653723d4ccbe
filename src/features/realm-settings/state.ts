import type { GroupId } from '#kernel/ids';
import type { SystemGroupName } from '#kernel/permissions';
import { registerState, type StateContext } from '#kernel/state';
import { readValues, systemGroupName } from '#features/groups';
import { EXTERNAL_ACCOUNTS } from '#features/profile-fields';
import { REALM_GROUP_SETTINGS, type RealmRow, readRealm, settingsOf } from '#features/realms';
import { hasPasswords } from '#features/sign-in';
import { realmFields } from './fields.ts';
import { callProviders, serverFacts } from './server-facts.ts';
import { pictureUrls, toWireMethods } from './to-wire.ts';
import { EMPTY_TOPIC_NAME } from '#kernel/text';

/** Counters of pictures, which are no fields because the pictures' addresses contain them. */
const UNSHOWN = ['icon_version', 'logo_version', 'night_logo_version'];

/**
 * The organization's settings, and the server's facts. See protocol/organizations#fields,
 * protocol/organizations#server-facts.
 */
const realmState = registerState({
  fetchType: 'realm',
  sameFor: ({ tx }) => `${tx.actor !== null}`,
  source: 'protocol/organizations#fields, protocol/organizations#server-facts',
  fields: realmFields,
  read: async (input) => {
    const row = await readRealm(input.tx);
    const settings = settingsOf(row);
    return {
      ...prefixed(Object.entries(settings).filter(([name]) => !UNSHOWN.includes(name))),
      ...prefixed(await groupValues(input, row)),
      ...prefixed(Object.entries(pictureUrls(input.tx.realm, settings))),
      ...facts(input, row),
      ...deprecated(input, row),
      ...serverFacts(input.context, input.tx.realm, settings),
      ...(!input.tx.actor && { realm_allow_message_editing: false, realm_presence_disabled: true }),
    };
  },
});

function prefixed(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries([...values].map(([name, value]) => [`realm_${name}`, value]));
}

async function groupValues({ tx }: StateContext, row: RealmRow): Promise<[string, unknown][]> {
  const values = await readValues(
    tx,
    REALM_GROUP_SETTINGS.map(({ name }) => row[name]),
  );
  return REALM_GROUP_SETTINGS.map(({ name }) => [name, values.get(row[name])]);
}

/** Fields that are derived from the settings or fixed. */
function facts({ tx, context }: StateContext, row: RealmRow) {
  const settings = settingsOf(row);
  const url = tx.realm.url;
  const isByEmail = settings.authentication_methods['Email'] ?? false;
  return {
    realm_name: row.name,
    realm_uuid: row.uuid,
    realm_url: url,
    realm_uri: url,
    realm_bot_domain: tx.realm.host,
    realm_date_created: row.date_created,
    realm_plan_type: 1,
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_authentication_methods: toWireMethods(context, tx.realm, settings.authentication_methods),
    realm_email_auth_enabled: isByEmail,
    realm_password_auth_enabled: hasPasswords(context, tx.realm, settings),
    realm_available_video_chat_providers: callProviders(context),
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    realm_owner_full_content_access: false,
    realm_push_notifications_enabled: context.pushGateway !== undefined && settings.push_notifications_enabled,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: 'Available on every plan.',
  };
}

type Policies = Readonly<Partial<Record<SystemGroupName, number>>>;

const CREATION: Policies = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
};
const WEB_PUBLIC: Policies = {
  'role:administrators': 2,
  'role:moderators': 4,
  'role:nobody': 6,
  'role:owners': 7,
};
const WILDCARD: Policies = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};

/** Permissions as the numbers of older clients; a group without a number falls back to another. */
function deprecated({ tx }: StateContext, row: RealmRow) {
  const policy = (policies: Policies, group: GroupId, otherwise: number) => {
    const name = systemGroupName(tx.realm, group);
    return (name && policies[name]) ?? otherwise;
  };
  return {
    realm_create_public_stream_policy: policy(CREATION, row.can_create_public_channel_group, 1),
    realm_create_private_stream_policy: policy(CREATION, row.can_create_private_channel_group, 1),
    realm_create_web_public_stream_policy: policy(WEB_PUBLIC, row.can_create_web_public_channel_group, 7),
    realm_wildcard_mention_policy: policy(WILDCARD, row.can_mention_many_users_group, 1),
  };
}

export const realmStates = [realmState];
