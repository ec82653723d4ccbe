/** An operation that the contract names. */
export interface ContractOperation {
  readonly method: string;
  /** Below /api/v1, with `{}` for each parameter. */
  readonly path: string;
  /** Where it is named. */
  readonly source: string;
  /** Official clients that send it: M mobile, T terminal, P Python, J JavaScript; none for what only the web needs. */
  readonly clients: string;
}

/** An operation that is no more. */
interface Gone extends ContractOperation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** What says so: 404 for a path that nobody knows, 405 for a method that is not one of the path's. */
  readonly status: 404 | 405;
}

/** Operations of the specification, by section. */
const SPECIFIED = `
4.1 POST /users/me/subscriptions MPJ
4.2 PATCH /streams/{} P
4.3 PATCH /scheduled_messages/{}
4.4 POST /channels/create
4.5 POST /users/me/presence MTP
4.6 POST /channel_folders/create
4.7 POST /invites
4.8 POST /invites/multiuse
4.9 POST /users/me/status M
4.10 POST /mobile_push/register M
4.11 GET /messages/{}/history TPJ
4.12 PATCH /users/me/profile_data
4.13 POST /realm/filters P
4.14 DELETE /users/{} P
4.15 POST /saved_snippets M
4.16 PATCH /saved_snippets/{}
4.17 POST /realm/playgrounds
4.18 DELETE /attachments/{}
4.19 POST /user_uploads MP
4.20 POST /dev_fetch_api_key
4.21 DELETE /users/me/apns_device_token M
4.22 POST /register MTPJ
`;

/** Operations that official clients send beside those; by number in contract clients 1.4. */
const SENT = `
1 GET /server_settings MTPJ
2 POST /fetch_api_key MTJ
3 POST /register_client_device M
4 POST /remove_client_device M
6 GET /events MTPJ
7 DELETE /events TPJ
9 GET /messages MTPJ
10 POST /messages MTPJ
11 PATCH /messages/{} MTPJ
12 DELETE /messages/{} MPJ
13 GET /messages/{} MTPJ
15 POST /messages/flags MTPJ
16 POST /messages/flags/narrow M
17 GET /messages/{}/read_receipts M
18 POST /messages/{}/report M
19 POST /messages/{}/reactions MTPJ
20 DELETE /messages/{}/reactions MTPJ
21 POST /messages/render PJ
22 GET /messages/matches_narrow P
23 POST /submessage M
24 POST /typing MTPJ
25 POST /mark_all_as_read P
26 POST /mark_stream_as_read P
27 POST /mark_topic_as_read P
28 GET /users/me/subscriptions PJ
30 DELETE /users/me/subscriptions MPJ
31 POST /users/me/subscriptions/properties MTP
32 PATCH /users/me/subscriptions/muted_topics MP
33 POST /user_topics M
34 GET /users/me/{}/topics MTPJ
35 GET /get_stream_id PJ
36 GET /streams PJ
38 DELETE /streams/{} PJ
39 GET /streams/{}/members P
40 GET /streams/{}/email_address TP
41 POST /default_streams P
42 GET /users/{}/subscriptions/{} P
43 GET /users/me MPJ
44 GET /users PJ
45 GET /users/{} P
46 POST /users PJ
47 PATCH /users/{} P
49 POST /users/{}/reactivate P
52 GET /users/{}/presence P
53 GET /realm/presence P
54 GET /users/me/alert_words PJ
55 POST /users/me/alert_words P
56 DELETE /users/me/alert_words P
57 PATCH /settings M
58 PATCH /settings/notifications P
62 GET /realm/emoji PJ
63 POST /realm/emoji/{} P
64 DELETE /realm/emoji/{} P
65 GET /realm/linkifiers P
67 DELETE /realm/filters/{} P
69 GET /realm/profile_fields P
70 POST /realm/profile_fields P
71 PATCH /realm/profile_fields P
72 PATCH /realm/profile_fields/{} P
73 DELETE /realm/profile_fields/{} P
74 GET /user_groups P
75 POST /user_groups/create P
76 PATCH /user_groups/{} P
78 POST /user_groups/{}/members P
80 GET /user_uploads/{} MP
81 GET /attachments P
82 GET /bot_storage P
83 PUT /bot_storage P
85 POST /users/me/android_gcm_reg_id M
86 DELETE /users/me/android_gcm_reg_id M
87 POST /users/me/apns_device_token M
`;

/** What stands around them, by section of the contract's surrounding operations. */
const SURROUNDING = `
2.1 GET /dev_list_users
2.1 POST /users/me/api_key/regenerate
2.3.7 POST /messages/{}/typing
2.4.2 DELETE /users/me
2.4.2 GET /users/{}/channels
2.5 GET /users/{}/status
2.5 POST /users/{}/status
2.6.3 PATCH /users/me/subscriptions
2.6.3 PATCH /users/me/subscriptions/{}
2.6.3 GET /streams/{}
2.6.3 POST /streams/{}/delete_topic
2.6.3 DELETE /default_streams
2.6.3 POST /default_stream_groups/create
2.6.3 PATCH /default_stream_groups/{}
2.6.3 DELETE /default_stream_groups/{}
2.6.3 PATCH /default_stream_groups/{}/streams
2.6.3 POST /users/me/muted_users/{}
2.6.3 DELETE /users/me/muted_users/{}
2.7.1 PATCH /settings/display
2.7.2 POST /users/me/onboarding_steps
2.7.2 POST /zcommand
2.7.2 DELETE /users/me/profile_data
2.8.1 PATCH /realm
2.8.2 POST /realm/deactivate
2.8.2 PATCH /realm/user_settings_defaults
2.8.2 GET /realm/domains
2.8.2 POST /realm/domains
2.8.2 PATCH /realm/domains/{}
2.8.2 DELETE /realm/domains/{}
2.8.2 POST /realm/test_welcome_bot_custom_message
2.8.2 POST /realm/icon
2.8.2 DELETE /realm/icon
2.8.2 GET /realm/icon
2.8.2 POST /realm/logo
2.8.2 DELETE /realm/logo
2.8.2 GET /realm/logo
2.9.3 PATCH /realm/filters/{}
2.9.3 PATCH /realm/linkifiers
2.9.3 DELETE /realm/playgrounds/{}
2.10.2 POST /user_groups/{}/subgroups
2.10.2 GET /user_groups/{}/members
2.10.2 GET /user_groups/{}/subgroups
2.10.2 GET /user_groups/{}/members/{}
2.10.2 POST /user_groups/{}/deactivate
2.11 GET /drafts
2.11 POST /drafts
2.11 PATCH /drafts/{}
2.11 DELETE /drafts/{}
2.11 GET /scheduled_messages
2.11 POST /scheduled_messages
2.11 DELETE /scheduled_messages/{}
2.11 GET /reminders
2.11 POST /reminders
2.11 DELETE /reminders/{}
2.11 GET /saved_snippets
2.11 DELETE /saved_snippets/{}
2.11 GET /navigation_views
2.11 POST /navigation_views
2.11 PATCH /navigation_views/{}
2.11 DELETE /navigation_views/{}
2.11 GET /channel_folders
2.11 PATCH /channel_folders
2.11 PATCH /channel_folders/{}
2.12 GET /invites
2.12 DELETE /invites/{}
2.12 DELETE /invites/multiuse/{}
2.12 POST /invites/{}/resend
2.13 GET /bots
2.13 POST /bots
2.13 PATCH /bots/{}
2.13 DELETE /bots/{}
2.13 GET /bots/{}/api_key
2.13 POST /bots/{}/api_key/regenerate
2.13 DELETE /bot_storage
2.14 GET /thumbnail/status/{}
2.14 POST /users/me/avatar
2.14 DELETE /users/me/avatar
2.14 POST /tus
2.14 PATCH /tus/{}
2.15 GET /export/realm
2.15 POST /export/realm
2.15 DELETE /export/realm/{}
2.15 GET /export/realm/consents
2.16 POST /mobile_push/test_notification
2.16 POST /mobile_push/e2ee/test_notification
`;

/** What official clients send, though it is gone: the status that tells them so. Contract clients 1.4. */
export const GONE: readonly Gone[] = [
  { method: 'GET', path: '/users/me/pointer', status: 404, source: 'contract clients 1.4, row 60', clients: 'J' },
  { method: 'POST', path: '/users/me/pointer', status: 404, source: 'contract clients 1.4, row 61', clients: 'J' },
  { method: 'GET', path: '/realm/filters', status: 405, source: 'contract clients 1.4, row 68', clients: 'PJ' },
  { method: 'DELETE', path: '/user_groups/{}', status: 405, source: 'contract clients 1.4, row 77', clients: 'P' },
];

/** All operations of the contract that clients may send and that must work. */
export const OPERATIONS: readonly ContractOperation[] = [
  ...parse(SPECIFIED, (section) => `api ${section}`),
  ...parse(SENT, (row) => `contract clients 1.4, row ${row}`),
  ...parse(SURROUNDING, (section) => `contract surrounding ${section}`),
];

/** The operation's name in lists: method, and path with `{}` for parameters. */
export function nameOf({ method, path }: Pick<ContractOperation, 'method' | 'path'>): string {
  // A rest of any length is one parameter for whoever sends it; parameters in a row are such a rest, too.
  return `${method} ${path.replace(/(\/\{[^}]*\})+$/, '/{}').replace(/\{[^}]*\}/g, '{}')}`;
}

function parse(text: string, sourceOf: (place: string) => string): readonly ContractOperation[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [place = '', method = '', path = '', clients = ''] = line.split(' ');
      return { method, path, clients, source: sourceOf(place) };
    });
}
