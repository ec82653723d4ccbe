import { listed, type NoticeWords } from './texts.ts';

export const english: NoticeWords = {
  somebody: 'Somebody',
  noDescription: '*No description.*',
  kinds: {
    webPublic: 'Web-public',
    public: 'Public',
    shared: 'Private, shared history',
    protected: 'Private, protected history',
  },
  policies: {
    inherit: 'as in the organization',
    allow_empty_topic: 'messages without a topic are allowed',
    disable_empty_topic: 'messages without a topic are not allowed',
    empty_topic_only: 'all messages go without a topic',
  },
  period: (days) => (days === -1 ? 'forever' : `${days} ${days === 1 ? 'day' : 'days'}`),
  usual: (period) => `the organization's default (${period})`,
  created: (by, kind, description) => `**${kind}** channel created by ${by}. **Description:**\n${description}`,
  announced: (by, channels) =>
    `${by} created ${channels.length === 1 ? 'a new channel' : 'new channels'} ${channels.join(', ')}.`,
  subscribed: (by, channels) =>
    channels.length === 1
      ? `${by} subscribed you to ${channels.join('')}.`
      : `${by} subscribed you to the following channels:\n${listed(channels)}`,
  topics: (by, before, after) => `${by} changed the rule for topics in this channel from *${before}* to *${after}*.`,
  access: (by, before, after) => `${by} changed the access of this channel from **${before}** to **${after}**.`,
  retention: (by, before, after, days) => {
    const then = days === -1 ? 'be kept forever' : `be deleted ${days} days after they were sent`;
    return `${by} changed how long messages are kept in this channel from **${before}** to **${after}**. Messages in this channel will ${then}.`;
  },
  description: (by, before, after) =>
    `${by} changed the description of this channel.\n\n**Old description:**\n${before}\n\n**New description:**\n${after}`,
  renamed: (by, before, after) => `${by} renamed channel **${before}** to **${after}**.`,
  posting: (by, before, after) =>
    `${by} changed who may post in this channel.\n\n${listed([`**Old:** ${before}`, `**New:** ${after}`])}`,
  archived: (channel) => `Channel ${channel} has been archived.`,
  unarchived: (channel) => `Channel ${channel} has been unarchived.`,
  added: (by, group) => `${by} added you to the group ${group}.`,
  removed: (by, group) => `${by} removed you from the group ${group}.`,
};
