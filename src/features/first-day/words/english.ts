import type { FirstDayWords } from './texts.ts';

/** First message of the `general` channel. */
const welcome = {
  topic: 'welcome',
  content: `Welcome! Every message in a channel has a *topic*: one conversation, one topic. Several of them can go on side by side, and each can be read whole.

This topic is called *welcome*. Answer here to say hello, or begin one of your own: #**general>my first topic**.`,
};

/** First message of the `sandbox` channel. */
const experiments = {
  topic: 'experiments',
  content: `Nothing in this channel is in anybody's way, so try things here.

* Write \`**bold**\`, \`*italic*\` or \`~~struck~~\` to get **bold**, *italic* or ~~struck~~.
* Begin lines with \`* \` for a list, with \`> \` for a quotation, and put code between lines of three backquotes.
* Send \`/poll Where do we eat?\` to ask everybody; each further line is an answer to choose.
* Choose an emoji below a message to react to it. :tada:`,
};

/** What the welcome bot writes to each new user. */
const greeting = `Hello, I am the Welcome Bot.

Here people talk in **channels**, and every message in a channel has a **topic**. To begin, open a channel and answer in one of its topics, or start a topic of your own.

Send me one of these words and I tell you more: \`help\`, \`channels\`, \`topics\`, \`formatting\`, \`keyboard\`.`;

const channels = `A **channel** is for a team, a project or a subject. You see the messages of the channels that you are subscribed to. Look through the list of all channels for others that you can join, or make a new one.`;

const topics = `A **topic** is one conversation in a channel. Keep its name short: two or three words. You can mute a topic that is not for you, follow one that is, mark it as resolved when it is done, and move messages that belong elsewhere.`;

const formatting = `* \`**bold**\`, \`*italic*\`, \`~~struck~~\`, \`\` \`code\` \`\`
* \`[words](https://example.com)\` for a link, \`#**general>welcome**\` for a link to a topic
* \`@**Name**\` to mention somebody, \`:tada:\` for an emoji
* \`* \` begins a line of a list, \`> \` a quotation; three backquotes stand before and after code
* \`$$x^2$$\` for a formula, \`/poll Question\` for a poll`;

const keyboard = `In the browser and in the terminal the same keys work:

* \`r\` replies, \`c\` begins a message in a channel, \`x\` a direct message
* \`n\` goes to the next topic with unread messages, \`p\` to the next direct message
* \`/\` searches, \`*\` stars a message, \`+\` reacts with a thumbs up
* \`?\` shows all keys`;

const help = `I know these words: \`channels\`, \`topics\`, \`formatting\`, \`keyboard\`. Send me one of them.`;

/** The texts of an organization's first day in English. */
export const english: FirstDayWords = {
  descriptions: {
    general: 'For everyone, about everything',
    random: 'Whatever has no other place',
    sandbox: 'For trying things',
  },
  welcome,
  experiments,
  greeting,
  help,
  answers: { channels, topics, formatting, keyboard },
};
