import { integration } from '../integration.ts';
import { readSlack } from '../words/index.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

export const slackIncoming = integration({
  name: 'slack_incoming',
  title: 'Slack-compatible webhook',
  category: 'Communication',
  setUp:
    'Wherever a program asks for the address of a Slack incoming webhook, paste the address. The channel that it names becomes the topic, unless the option says that it is a channel.',
  options: [
    {
      key: 'channels_map_to_topics',
      label: 'What the channel of the payload is: 1 a topic, 0 a channel',
      input_type: 'text',
    },
  ],
  answersLikeSlack: true,
  read: (at, { option }) => ({
    topic: at('channel').text.replace(/^[#@]/, '') || 'Slack',
    ...(option('channels_map_to_topics') === '0' && { channel: at('channel').text.replace(/^[#@]/, '') }),
    // An edit has the new message nested in it.
    content: readSlack([at('event.message'), at('message')].find((one) => one.exists) ?? at('')),
  }),
  samples: [
    { of: 'A text', json: { text: 'Deployed *api* to <https://ferry.example/a?b=1|production> &amp; _done_' } },
    {
      of: 'Blocks',
      json: {
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Tide' } },
          section('*High* water at ~9:00~ 9:30'),
          { type: 'divider' },
          { type: 'context', elements: [{ type: 'mrkdwn', text: 'Harbour master' }] },
        ],
      },
    },
    {
      of: 'An attachment',
      json: {
        attachments: [
          {
            pretext: 'Nightly',
            title: 'Build 7',
            title_link: 'https://ci.ferry.example/7',
            text: 'Red',
            fields: [{ title: 'By', value: 'Mia' }],
            footer: 'CI',
            ts: 1780000000,
          },
        ],
      },
    },
    {
      of: 'A message is edited',
      json: {
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        channel: 'harbour',
        message: { type: 'message', user: 'U1', text: 'High tide at *nine*' },
        previous_message: { type: 'message', user: 'U1', text: 'High tide' },
      },
    },
    {
      of: 'Code within bold words, and fields without titles or values',
      json: {
        text: '*1. Use the `/tide` command* or `*low*`',
        attachments: [
          {
            pretext: 'Nightly',
            fallback: 'Nightly',
            fields: [
              { title: 'By', value: 'Mia', short: true },
              { title: 'By', value: 'Max', short: true },
              { title: 'Without a value', value: null, short: true },
              { title: null, value: 'Without a title', short: true },
              { title: null, value: 'Another without a title', short: true },
              { title: null, value: null, short: true },
            ],
          },
        ],
      },
    },
    {
      of: 'An event that edits a message',
      json: {
        channel: 'harbour',
        event: {
          type: 'message',
          subtype: 'message_changed',
          message: { type: 'message', user: 'U1', text: 'Low tide at *three*', ts: '1780000000.000100' },
        },
      },
    },
    { of: 'A form', form: { payload: '{"channel": "#builds", "text": "From a form"}' } },
  ],
});
