import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bold, lines, link, md } from '../markdown.ts';
import { readSlack } from '../words/index.ts';

const call = {
  token: 't',
  team_id: 'T1',
  team_domain: 'ferry',
  channel_id: 'C1',
  channel_name: 'harbour',
  timestamp: '1780000000.0',
  user_id: 'U1',
  user_name: 'mia',
  text: 'The ferry is <https://ferry.example|late>',
};

/** Links to a message's files, which are not copied from Slack. */
const files = (message: Field) =>
  lines(
    message
      .at('files')
      .list.map((file) =>
        link(
          firstOf(file.at('title'), file.at('name'), 'a file'),
          firstOf(file.at('permalink'), file.at('url_private')),
        ),
      ),
  );

export const slack = integration({
  name: 'slack',
  title: 'Slack',
  category: 'Communication',
  setUp:
    'In Slack make an app with event subscriptions, or an outgoing webhook, and paste the address. Messages come with the names of their channels.',
  options: [
    OPTIONS.secret,
    {
      key: 'channels_map_to_topics',
      label: 'What a channel of Slack becomes: 1 a topic, 0 a channel',
      input_type: 'text',
    },
  ],
  signature: {
    header: 'x-slack-signature',
    algorithm: 'sha256',
    prefix: 'v0=',
    timeHeader: 'x-slack-request-timestamp',
    signed: (time) => `v0:${time}:`,
  },
  answer: (at) => (at('type').text === 'url_verification' ? { challenge: at('challenge').text } : undefined),
  read: (at, { option }) => {
    if (at('type').text === 'url_verification') return undefined;
    const it = at('event').exists ? at('event') : at('');
    // Messages of bots are ignored, because a bridge in the other direction would make an endless loop.
    if (it.at('bot_id').exists || it.at('user_name').text === 'slackbot') return undefined;
    if (it.at('type').exists && it.at('type').text !== 'message') throw new UnsupportedEvent(it.at('type').text);
    const channel = firstOf(it.at('channel_name'), it.at('channel'), 'Slack');
    const kind = it.at('subtype').text;
    const [isEdited, isDeleted] = [kind === 'message_changed', kind === 'message_deleted'];
    const message = isEdited ? it.at('message') : isDeleted ? it.at('previous_message') : it;
    const who = firstOf(it.at('user_name'), message.at('user'), 'Somebody');
    const maps = option('channels_map_to_topics');
    const [toChannel, toTopic] = [maps === '0', maps === '1'];
    // The channel is omitted here if the topic or the channel is named after it.
    const place = toTopic || toChannel ? '' : ` in #${channel}`;
    return {
      topic: toTopic ? `channel: ${channel}` : 'Message from Slack',
      content: isDeleted
        ? md`A message of ${bold(who)}${place} was deleted.`
        : md`${bold(who)}${place}${isEdited ? ' (edited)' : ''}: ${lines([readSlack(message), files(message)])}`,
      ...(toChannel && { channel }),
    };
  },
  samples: [
    { of: 'A message', form: call },
    { of: 'A message whose channel becomes a topic', query: 'channels_map_to_topics=1', form: call },
    {
      of: 'Files',
      json: {
        type: 'event_callback',
        event: {
          type: 'message',
          subtype: 'file_share',
          user: 'U1',
          channel: 'C1',
          text: '',
          files: [{ id: 'F1', name: 'plan.pdf', title: 'The plan', permalink: 'https://ferry.slack.example/files/F1' }],
        },
      },
    },
    {
      of: 'A message is deleted',
      json: {
        type: 'event_callback',
        event: {
          type: 'message',
          subtype: 'message_deleted',
          hidden: true,
          channel: 'C1',
          deleted_ts: '1780000000.000100',
          previous_message: { type: 'message', user: 'U1', text: 'Low tide', ts: '1780000000.000100' },
        },
      },
    },
    {
      of: 'A message is edited',
      json: {
        type: 'event_callback',
        event: {
          type: 'message',
          subtype: 'message_changed',
          hidden: true,
          channel: 'C1',
          message: { type: 'message', user: 'U1', text: '*Low* tide', ts: '1780000000.000100' },
          previous_message: { type: 'message', user: 'U1', text: '*High* tide', ts: '1780000000.000100' },
        },
      },
    },
    {
      of: 'An event',
      json: { type: 'event_callback', event: { type: 'message', user: 'U1', channel: 'C1', text: '*High* tide' } },
    },
    {
      of: 'A reply in a thread',
      json: {
        token: 't',
        team_id: 'T1',
        api_app_id: 'A1',
        type: 'event_callback',
        event: {
          type: 'message',
          channel: 'C1',
          user: 'U2',
          text: 'Aye, <@U1>',
          ts: '1780000001.000200',
          thread_ts: '1780000000.000100',
          channel_type: 'channel',
        },
        event_id: 'Ev1',
        event_time: 1780000001,
      },
    },
  ],
});
