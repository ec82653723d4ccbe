import {
  bool,
  dict,
  int,
  lenientObject,
  list,
  nullable,
  maybe,
  refined,
  str,
  float,
  type Schema,
} from '#kernel/schema';
import { byNumber, fetchedMessage } from './shapes.ts';

const address = refined(str(), (text) => URL.canParse(text), 'not an address with a host');
const method = lenientObject({
  name: str(),
  display_name: str(),
  display_icon: nullable(str()),
  login_url: str(),
  signup_url: str(),
});

/** What the app reads of replies, by operation. It fails where one of these is missing or wrong. See protocol/clients#messages-read. */
export const REPLIES = {
  serverSettings: lenientObject({
    authentication_methods: lenientObject({ ldap: bool() }),
    external_authentication_methods: list(method),
    zulip_feature_level: int({ min: 371 }),
    zulip_version: str(),
    zulip_merge_base: str(),
    push_notifications_enabled: bool(),
    is_incompatible: bool(),
    email_auth_enabled: bool(),
    require_email_format_usernames: bool(),
    // The base of all that it asks for from then on.
    realm_uri: address,
    realm_name: str(),
    realm_icon: str(),
    realm_description: str(),
    realm_web_public_access_enabled: bool(),
  }),
  fetchApiKey: lenientObject({
    api_key: refined(str(), (key) => /^[A-Za-z0-9]{32}$/.test(key), 'not 32 letters and digits'),
    email: str(),
    user_id: maybe(int()),
  }),
  registerDevice: lenientObject({ device_id: int() }),
  topics: lenientObject({ topics: list(lenientObject({ max_id: int(), name: str() })) }),
  events: lenientObject({ events: list(lenientObject({ id: int(), type: str() })), queue_id: maybe(str()) }),
  messages: lenientObject({
    anchor: float(),
    found_newest: bool(),
    found_oldest: bool(),
    found_anchor: bool(),
    history_limited: bool(),
    messages: list(fetchedMessage),
  }),
  sent: lenientObject({ id: int() }),
  // It reads the older of the two names.
  uploaded: lenientObject({ uri: str() }),
  temporaryUrl: lenientObject({ url: str() }),
  flags: lenientObject({ messages: list(int()) }),
  flagsOfNarrow: lenientObject({
    processed_count: int(),
    updated_count: int(),
    first_processed_id: nullable(int()),
    last_processed_id: nullable(int()),
    found_oldest: bool(),
    found_newest: bool(),
  }),
  readReceipts: lenientObject({ user_ids: list(int()) }),
  emojiData: lenientObject({ code_to_names: dict(list(str(), { min: 1 })) }),
  savedSnippet: lenientObject({ saved_snippet_id: int() }),
  ownUser: lenientObject({ user_id: int() }),
  presence: lenientObject({
    presence_last_update_id: maybe(int()),
    server_timestamp: float(),
    presences: byNumber(lenientObject({ active_timestamp: int(), idle_timestamp: int() })),
  }),
} satisfies Readonly<Record<string, Schema>>;
