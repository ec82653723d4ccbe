/** An operation that the protocol names. */
export interface ProtocolOperation {
  readonly method: string;
  /** Below /api/v1, with `{}` for each parameter. */
  readonly path: string;
  /** The heading that names it. */
  readonly source: string;
  /**
   * Official clients that use it: M mobile, T terminal, P Python, J JavaScript; empty for what only the web client
   * needs.
   */
  readonly clients: string;
}

/** An operation that was removed. */
interface Gone extends ProtocolOperation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The status that clients receive: 404 for an unknown path, 405 for a method that the path does not have. */
  readonly status: 404 | 405;
}

/** Operations that programs need most, by their headings in docs/protocol. */
const SPECIFIED = `
subscriptions#subscribing POST /users/me/subscriptions MPJ
channels#update-parameters PATCH /streams/{} P
saved#editing-a-scheduled-message PATCH /scheduled_messages/{}
channels#creating POST /channels/create
presence#reporting POST /users/me/presence MTP
channel-folders#creating POST /channel_folders/create
invitations#parameters POST /invites
invitations#links POST /invites/multiuse
status#setting POST /users/me/status M
push#registering POST /mobile_push/register M
editing#history GET /messages/{}/history TPJ
profile-fields#values PATCH /users/me/profile_data
linkifiers#adding POST /realm/filters P
users#deactivating DELETE /users/{} P
saved#snippets POST /saved_snippets M
saved#snippets PATCH /saved_snippets/{}
linkifiers#playgrounds POST /realm/playgrounds
files#attachments DELETE /attachments/{}
files#upload POST /user_uploads MP
authentication#development POST /dev_fetch_api_key
push#older-tokens DELETE /users/me/apns_device_token M
register#parameters POST /register MTPJ
`;

/** Further operations that official clients use. */
const SENT = `
authentication#server-settings GET /server_settings MTPJ
authentication#sign-in POST /fetch_api_key MTJ
push#devices POST /register_client_device M
push#devices POST /remove_client_device M
queues#polling GET /events MTPJ
queues#deleting DELETE /events TPJ
fetching#parameters GET /messages MTPJ
messages#parameters POST /messages MTPJ
editing#parameters PATCH /messages/{} MTPJ
editing#deleting DELETE /messages/{} MPJ
fetching#one-message GET /messages/{} MTPJ
flags#changing POST /messages/flags MTPJ
flags#by-narrow POST /messages/flags/narrow M
flags#receipts GET /messages/{}/read_receipts M
reactions#reports POST /messages/{}/report M
reactions#reactions POST /messages/{}/reactions MTPJ
reactions#reactions DELETE /messages/{}/reactions MTPJ
messages#rendering-a-text POST /messages/render PJ
fetching#search GET /messages/matches_narrow P
reactions#submessages POST /submessage M
typing#direct POST /typing MTPJ
flags#marking-read POST /mark_all_as_read P
flags#marking-read POST /mark_stream_as_read P
flags#marking-read POST /mark_topic_as_read P
subscriptions#listing GET /users/me/subscriptions PJ
subscriptions#unsubscribing DELETE /users/me/subscriptions MPJ
subscriptions#own-properties POST /users/me/subscriptions/properties MTP
topics#visibility-policies PATCH /users/me/subscriptions/muted_topics MP
topics#visibility-policies POST /user_topics M
topics#listing GET /users/me/{}/topics MTPJ
channels#reading-channels GET /get_stream_id PJ
channels#reading-channels GET /streams PJ
channels#archiving DELETE /streams/{} PJ
channels#reading-channels GET /streams/{}/members P
channels#reading-channels GET /streams/{}/email_address TP
channels#default-channels POST /default_streams P
users#operations GET /users/{}/subscriptions/{} P
users#operations GET /users/me MPJ
users#operations GET /users PJ
users#operations GET /users/{} P
users#creating POST /users PJ
users#changing PATCH /users/{} P
users#reactivating POST /users/{}/reactivate P
presence#reading-of-others GET /users/{}/presence P
presence#reading-of-others GET /realm/presence P
settings#alert-words GET /users/me/alert_words PJ
settings#alert-words POST /users/me/alert_words P
settings#alert-words DELETE /users/me/alert_words P
settings#changing PATCH /settings M
settings#changing PATCH /settings/notifications P
emoji#custom-emoji GET /realm/emoji PJ
emoji#custom-emoji POST /realm/emoji/{} P
emoji#custom-emoji DELETE /realm/emoji/{} P
linkifiers#changing GET /realm/linkifiers P
linkifiers#changing DELETE /realm/filters/{} P
profile-fields#definitions GET /realm/profile_fields P
profile-fields#definitions POST /realm/profile_fields P
profile-fields#definitions PATCH /realm/profile_fields P
profile-fields#definitions PATCH /realm/profile_fields/{} P
profile-fields#definitions DELETE /realm/profile_fields/{} P
groups#operations GET /user_groups P
groups#operations POST /user_groups/create P
groups#operations PATCH /user_groups/{} P
groups#operations POST /user_groups/{}/members P
files#temporary-addresses GET /user_uploads/{} MP
files#attachments GET /attachments P
bots#storage GET /bot_storage P
bots#storage PUT /bot_storage P
push#older-tokens POST /users/me/android_gcm_reg_id M
push#older-tokens DELETE /users/me/android_gcm_reg_id M
push#older-tokens POST /users/me/apns_device_token M
`;

/** All other operations. */
const SURROUNDING = `
authentication#development GET /dev_list_users
authentication#api-key POST /users/me/api_key/regenerate
typing#editing POST /messages/{}/typing
users#leaving DELETE /users/me
users#operations GET /users/{}/channels
status#shown GET /users/{}/status
status#setting POST /users/{}/status
subscriptions#unsubscribing PATCH /users/me/subscriptions
subscriptions#own-properties PATCH /users/me/subscriptions/{}
channels#reading-channels GET /streams/{}
topics#deleting POST /streams/{}/delete_topic
channels#default-channels DELETE /default_streams
channels#default-channels POST /default_stream_groups/create
channels#default-channels PATCH /default_stream_groups/{}
channels#default-channels DELETE /default_stream_groups/{}
channels#default-channels PATCH /default_stream_groups/{}/streams
users#operations POST /users/me/muted_users/{}
users#operations DELETE /users/me/muted_users/{}
settings#changing PATCH /settings/display
settings#small-operations POST /users/me/onboarding_steps
settings#small-operations POST /zcommand
profile-fields#values DELETE /users/me/profile_data
organizations#changing-settings PATCH /realm
organizations#deactivating POST /realm/deactivate
organizations#defaults-for-new-people PATCH /realm/user_settings_defaults
organizations#domains GET /realm/domains
organizations#domains POST /realm/domains
organizations#domains PATCH /realm/domains/{}
organizations#domains DELETE /realm/domains/{}
organizations#pictures POST /realm/test_welcome_bot_custom_message
organizations#pictures POST /realm/icon
organizations#pictures DELETE /realm/icon
organizations#pictures GET /realm/icon
organizations#pictures POST /realm/logo
organizations#pictures DELETE /realm/logo
organizations#pictures GET /realm/logo
linkifiers#changing PATCH /realm/filters/{}
linkifiers#changing PATCH /realm/linkifiers
linkifiers#playgrounds DELETE /realm/playgrounds/{}
groups#operations POST /user_groups/{}/subgroups
groups#operations GET /user_groups/{}/members
groups#operations GET /user_groups/{}/subgroups
groups#operations GET /user_groups/{}/members/{}
groups#operations POST /user_groups/{}/deactivate
saved#drafts GET /drafts
saved#drafts POST /drafts
saved#drafts PATCH /drafts/{}
saved#drafts DELETE /drafts/{}
saved#scheduled-messages GET /scheduled_messages
saved#scheduled-messages POST /scheduled_messages
saved#scheduled-messages DELETE /scheduled_messages/{}
saved#reminders GET /reminders
saved#reminders POST /reminders
saved#reminders DELETE /reminders/{}
saved#snippets GET /saved_snippets
saved#snippets DELETE /saved_snippets/{}
saved#navigation-views GET /navigation_views
saved#navigation-views POST /navigation_views
saved#navigation-views PATCH /navigation_views/{}
saved#navigation-views DELETE /navigation_views/{}
channel-folders#changing GET /channel_folders
channel-folders#changing PATCH /channel_folders
channel-folders#changing PATCH /channel_folders/{}
invitations#managing GET /invites
invitations#managing DELETE /invites/{}
invitations#managing DELETE /invites/multiuse/{}
invitations#managing POST /invites/{}/resend
bots#operations GET /bots
bots#operations POST /bots
bots#operations PATCH /bots/{}
bots#operations DELETE /bots/{}
bots#operations GET /bots/{}/api_key
bots#operations POST /bots/{}/api_key/regenerate
bots#storage DELETE /bot_storage
files#thumbnails GET /thumbnail/status/{}
files#avatars POST /users/me/avatar
files#avatars DELETE /users/me/avatar
files#tus POST /tus
files#tus PATCH /tus/{}
organizations#exports GET /export/realm
organizations#exports POST /export/realm
organizations#exports DELETE /export/realm/{}
organizations#exports GET /export/realm/consents
push#tests POST /mobile_push/test_notification
push#tests POST /mobile_push/e2ee/test_notification
`;

/** Removed operations that official clients still call. See protocol/clients#operations. */
export const GONE: readonly Gone[] = [
  { method: 'GET', path: '/users/me/pointer', status: 404, source: 'protocol/clients#operations', clients: 'J' },
  { method: 'POST', path: '/users/me/pointer', status: 404, source: 'protocol/clients#operations', clients: 'J' },
  { method: 'GET', path: '/realm/filters', status: 405, source: 'protocol/clients#operations', clients: 'PJ' },
  { method: 'DELETE', path: '/user_groups/{}', status: 405, source: 'protocol/clients#operations', clients: 'P' },
];

/** All operations of the protocol that clients may call and that must work. */
export const OPERATIONS: readonly ProtocolOperation[] = [
  ...parse(SPECIFIED, (place) => `protocol/${place}`),
  ...parse(SENT, (place) => `protocol/${place}`),
  ...parse(SURROUNDING, (place) => `protocol/${place}`),
];

/** Returns the operation's name in lists: method, and path with `{}` for parameters. */
export function nameOf({ method, path }: Pick<ProtocolOperation, 'method' | 'path'>): string {
  // For callers a rest parameter is one parameter, and so are several parameters in a row.
  return `${method} ${path.replace(/(\/\{[^}]*\})+$/, '/{}').replace(/\{[^}]*\}/g, '{}')}`;
}

function parse(text: string, sourceOf: (place: string) => string): readonly ProtocolOperation[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [place = '', method = '', path = '', clients = ''] = line.split(' ');
      return { method, path, clients, source: sourceOf(place) };
    });
}
