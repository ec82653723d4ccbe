import type { Words } from './word.ts';

/** Parameters of apps: event queues, devices, calls, commands, incoming webhooks. */
export const appWords: Words = {
  all_public_streams: ['Whether messages of all public channels come, not only of those subscribed to.', false],
  appid: ['Name of the app.', 'org.example.chat'],
  bouncer_public_key: [
    'For the push service: the key it is to decrypt with.',
    'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  ],
  client_capabilities: [
    'What the client can do; each but `notification_settings_null` is false when absent. See [capabilities](/api/protocol/register#capabilities).',
    { notification_settings_null: true, empty_topic_name: true },
  ],
  command: ['The command with its slash.', '/dark'],
  device_id: ['ID of the device.', 9],
  dont_block: ['Whether to answer at once, even when there is no event.', true],
  encrypted_push_registration: [
    'For the push service: the token and what goes with it, encrypted.',
    'q83vEjRWeJCrze8SNFZ4kKvN7xI0Vg==',
  ],
  event_types: ['Types of the events to receive; all when absent. See [events](/api/events).', ['message', 'reaction']],
  fetch_event_types: ['State to fetch, by type of event; `event_types` when absent.', ['message', 'subscription']],
  idle_queue_timeout: ['Seconds for which the queue lives without a poll, or `mobile`.', 600],
  include_profile: ['Whether the answer has the profile of the account.', true],
  integration: ['Name of the integration.', 'github'],
  is_video_call: ['Whether the call has video.', true],
  last_event_id: ['ID of the last event that was received; -1 at first. Earlier events are acknowledged by it.', -1],
  meeting_name: ['Name of the meeting.', 'Garden planning'],
  onboarding_step: ['Name of the hint that was read.', 'intro_inbox_view_modal'],
  payload: ['What is posted, by services that send forms.', { action: 'opened' }],
  posted: ['What the service posts.', { action: 'opened' }],
  push_key: ['Base64 of the byte 0x31 and a key of 32 bytes.', 'MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'],
  push_key_id: ['What the client calls its key; 0 to 4294967295.', 2_087_643_211],
  queue_id: ['ID of the event queue, as `POST /register` answered it.', 'fb67bf8a-c031-47cc-84cf-ed80accacda8'],
  room_name: ['Name of the room.', 'Garden planning'],
  token_id: ["Base64 of the first 8 bytes of the token's SHA-256.", 'q83vEjRWeJA='],
  token_kind: ['`fcm` or `apns`.', 'fcm'],
  auth: ['Secret of 16 bytes, in URL-safe Base64.', 'AAECAwQFBgcICQoLDA0ODw'],
  endpoint: ['Address at the push service; https.', 'https://push.example.com/send/5f2c'],
  kind: ['Who made it: `web` for a browser, `unifiedpush` for an app.', 'web'],
  p256dh: [
    'Public key, in URL-safe Base64.',
    'BAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8',
  ],
  subscription_id: ['ID of the push subscription.', 4],
  voice_only: ['Whether the meeting is without video.', false],
};
