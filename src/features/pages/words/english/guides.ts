/** Texts of the pages about connecting an app and about first steps. */
export const guides = {
  'address.code': 'A code that opens this page on a phone',
  'address.title': 'Address of this server',
  'address.local':
    'Only the server’s own machine can reach this address. For others, the operator of the server must set ROOST_EXTERNAL_URL.',
  'address.scan': "Scan the code with a phone's camera to open this page there, and copy the address into the app.",
  'apps.title': 'Connect an app',
  'apps.lede':
    'Every app asks for the same three things: the address of this server, your email address and your password.',
  'apps.browser': 'In a browser',
  'apps.browserText':
    'Nothing to install: {link}. The menu of most browsers can also put it among your apps or on the home screen of a phone.',
  'apps.browserLink': 'open this server',
  'apps.phone': 'On a phone',
  'apps.phoneText':
    'The app {app}, from the store of your phone, works with this server. Choose “Add an account”, enter the address above, then your email address and password.',
  'apps.terminal': 'In a terminal',
  'apps.terminalText':
    'It asks for the three things when it starts. On Python 3.11 or newer add {option} to the first line.',
  'apps.program': 'From a program',
  'apps.programText':
    "Create a bot in the settings of the web client and download its {file}: it holds the address, the bot's name and its key. {api} describes every operation.",
  'guide.api': 'The API',
  'help.title': 'Getting started',
  'help.lede': 'Messages are in channels, and every message in a channel has a topic.',
  'help.channels': 'Channels and topics',
  'help.channel': 'channel',
  'help.topic': 'topic',
  'help.direct': 'direct message',
  'help.channelsText':
    'A {channel} is for a team, a project or a subject. A {topic} is one conversation in it, with a name of two or three words. Several topics go on side by side, and each can be read whole, later too. To ask something new, begin a new topic; to answer, open the topic and write.',
  'help.directText': 'A {direct} is for one person or a few.',
  'help.inbox': 'Inbox and notifications',
  'help.inboxText':
    'The inbox lists what you have not read, topic by topic. Mute topics and channels that do not concern you, and follow topics that you do not want to miss. What notifies you is under Settings, Notifications.',
  'help.writing': 'Writing',
  'help.formats': 'How to format',
  'help.bold': 'bold',
  'help.italic': 'italic',
  'help.code': 'code; three backquotes before and after several lines',
  'help.quotation': 'a quotation',
  'help.list': 'a list',
  'help.mention': 'mentions somebody, who is then told',
  'help.toChannel': 'links to a channel, and to a topic after >',
  'help.emoji': 'an emoji',
  'help.keys': 'Keys',
  'help.keysOf': 'Keys of the web client',
  'help.allKeys': 'all keys',
  'help.ctrlK': 'Ctrl K',
  'help.goTo': 'go to a conversation, a person or a setting',
  'help.next': 'next topic with unread messages',
  'help.reply': 'reply to the message',
  'help.compose': 'new message in a channel',
  'help.composeDirect': 'new direct message',
  'help.search': 'search',
  'help.trouble': 'When something does not work',
  'help.noPush':
    'No notification on the phone while the app is closed: this server needs a push notification service, which its operator sets up.',
  'help.noMail':
    'No mail: check your spam folder, then ask the operator of this server. They can create a link for choosing a new password.',
  'help.noChannel': 'A channel is not in the list: it is private, and somebody in it can add you.',
  'guide.openClient': 'Open the client',
} as const;
