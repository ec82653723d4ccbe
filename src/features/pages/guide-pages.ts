import { hasRealm, type Page, page } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, show } from './layout.ts';
import { noOrganization } from './missing.ts';
import { qrCode } from './qr.ts';

/** Paths of the pages about connecting an app and about first steps. */
export const APPS_PATH = '/apps/';
export const HELP_PATH = '/help/';

/** A public page of text. */
function guidePage(path: string, title: string, lede: string, body: (url: string) => Promise<Html>): Page {
  return page({
    methods: ['GET'],
    path,
    handle: async (request) => {
      if (!hasRealm(request)) return noOrganization(request);
      const { realm } = request;
      return show(request, { title, lede, wide: true, body: await body(realm.url) });
    },
  });
}

/** Whether an address is reachable only from the server's own machine. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}

/** The server's address, as text and as a QR code. */
export async function addressCard(url: string): Promise<Html> {
  const code = await qrCode(`${url}${APPS_PATH}`, 'A code that opens this page on a phone');
  return html`<div class="address-card">${code}
<div><p class="label">Address of this server</p><p class="address" dir="ltr">${url}</p>
<p class="hint">${
    isLocal(url)
      ? 'Only the server’s own machine can reach this address. For others, the operator of the server must set ROOST_EXTERNAL_URL.'
      : "Scan the code with a phone's camera to open this page there, and copy the address into the app."
  }</p></div></div>`;
}

const appsPage = guidePage(
  APPS_PATH,
  'Connect an app',
  'Every app asks for the same three things: the address of this server, your email address and your password.',
  async (url) => html`${await addressCard(url)}
<div class="guide">
<h2>In a browser</h2>
<p>Nothing to install: <a href="/">open this server</a>. The menu of most browsers can also put it among your apps or on the home screen of a phone.</p>
<h2>On a phone</h2>
<p>The app <b>Zulip</b>, from the store of your phone, works with this server. Choose “Add an account”, enter the address above, then your email address and password.</p>
<h2>In a terminal</h2>
<pre>pip install zulip-term
zulip-term</pre>
<p>It asks for the three things when it starts. On Python 3.11 or newer add <code>--ignore-requires-python</code> to the first line.</p>
<h2>From a program</h2>
<p>Create a bot in the settings of the web client and download its <code>zuliprc</code>: it holds the address, the bot's name and its key. <a href="/api/">The API</a> describes every operation.</p>
</div>
${below({ text: 'Getting started', href: HELP_PATH }, { text: 'Log in', href: '/login/' })}`,
);

const KEYS: readonly (readonly [string, string])[] = [
  ['?', 'all keys'],
  ['Ctrl K', 'go to a conversation, a person or a setting'],
  ['n', 'next topic with unread messages'],
  ['r', 'reply to the message'],
  ['c', 'new message in a channel'],
  ['x', 'new direct message'],
  ['/', 'search'],
];

const FORMATS: readonly (readonly [string, string])[] = [
  ['**bold**', 'bold'],
  ['*italic*', 'italic'],
  ['`code`', 'code; three backquotes before and after several lines'],
  ['> words', 'a quotation'],
  ['* item', 'a list'],
  ['@name', 'mentions somebody, who is then told'],
  ['#channel', 'links to a channel, and to a topic after >'],
  [':name', 'an emoji'],
];

function table(caption: string, rows: readonly (readonly [string, string])[], tag: 'kbd' | 'code'): Html {
  const what = (text: string) => (tag === 'kbd' ? html`<kbd>${text}</kbd>` : html`<code>${text}</code>`);
  return html`<table class="guide-table"><caption class="sr">${caption}</caption>
${rows.map(([sign, meaning]) => html`<tr><th scope="row">${what(sign)}</th><td>${meaning}</td></tr>`)}</table>`;
}

const helpPage = guidePage(
  HELP_PATH,
  'Getting started',
  'Messages are in channels, and every message in a channel has a topic.',
  async () => html`<div class="guide">
<h2>Channels and topics</h2>
<p>A <b>channel</b> is for a team, a project or a subject. A <b>topic</b> is one conversation in it, with a name of two or three words. Several topics go on side by side, and each can be read whole, later too. To ask something new, begin a new topic; to answer, open the topic and write.</p>
<p>A <b>direct message</b> is for one person or a few.</p>
<h2>Inbox and notifications</h2>
<p>The inbox lists what you have not read, topic by topic. Mute topics and channels that do not concern you, and follow topics that you do not want to miss. What notifies you is under Settings, Notifications.</p>
<h2>Writing</h2>
${table('How to format', FORMATS, 'code')}
<h2>Keys</h2>
${table('Keys of the web client', KEYS, 'kbd')}
<h2>When something does not work</h2>
<ul>
<li>No notification on the phone while the app is closed: this server needs a push notification service, which its operator sets up.</li>
<li>No mail: check your spam folder, then ask the operator of this server. They can create a link for choosing a new password.</li>
<li>A channel is not in the list: it is private, and somebody in it can add you.</li>
</ul>
</div>
${below({ text: 'Connect an app', href: APPS_PATH }, { text: 'Open the client', href: '/' })}`,
);

/** Browsers are sent on from the addresses that people type. */
export const guidePages = [appsPage, helpPage];
