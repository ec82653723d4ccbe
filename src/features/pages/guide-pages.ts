import { hasRealm, type Page, page } from '#kernel/endpoint';
import { type Html, html } from '#kernel/html';
import { below, show } from './layout.ts';
import { noOrganization } from './missing.ts';
import { qrCode } from './qr.ts';
import { type Words, wordsFor } from './words/index.ts';

/** Paths of the pages about connecting an app and about first steps. */
export const APPS_PATH = '/apps/';
export const HELP_PATH = '/help/';

/** The texts and the contents of a page. */
interface Guide {
  readonly title: string;
  readonly lede: string;
  readonly body: Html;
}

/** A public page of text. */
function guidePage(path: string, guideFor: (words: Words, url: string) => Promise<Guide>): Page {
  return page({
    methods: ['GET'],
    path,
    handle: async (request) => {
      if (!hasRealm(request)) return noOrganization(request);
      const words = wordsFor(request);
      return show(request, { ...(await guideFor(words, request.realm.url)), language: words.language, wide: true });
    },
  });
}

/** Whether an address is reachable only from the server's own machine. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname);
}

/** The server's address, as text and as a QR code. */
export async function addressCard({ t }: Words, url: string): Promise<Html> {
  const code = await qrCode(`${url}${APPS_PATH}`, t('address.code'));
  return html`<div class="address-card">${code}
<div><p class="label">${t('address.title')}</p><p class="address" dir="ltr">${url}</p>
<p class="hint">${isLocal(url) ? t('address.local') : t('address.scan')}</p></div></div>`;
}

const appsPage = guidePage(APPS_PATH, async (words, url) => {
  const { t, rich } = words;
  return {
    title: t('apps.title'),
    lede: t('apps.lede'),
    body: html`${await addressCard(words, url)}
<div class="guide">
<h2>${t('apps.browser')}</h2>
<p>${rich('apps.browserText', { link: link('/', t('apps.browserLink')) })}</p>
<h2>${t('apps.phone')}</h2>
<p>${rich('apps.phoneText', { app: html`<b>Zulip</b>` })}</p>
<h2>${t('apps.terminal')}</h2>
<pre>pip install zulip-term
zulip-term</pre>
<p>${rich('apps.terminalText', { option: html`<code>--ignore-requires-python</code>` })}</p>
<h2>${t('apps.program')}</h2>
<p>${rich('apps.programText', { file: html`<code>zuliprc</code>`, api: link('/api/', t('guide.api')) })}</p>
</div>
${below({ text: t('help.title'), href: HELP_PATH }, { text: t('common.logIn'), href: '/login/' })}`,
  };
});

const link = (href: string, text: string) => html`<a href="${href}">${text}</a>`;

type Rows = readonly (readonly [string, string])[];

const keysIn = ({ t }: Words): Rows => [
  ['?', t('help.allKeys')],
  [t('help.ctrlK'), t('help.goTo')],
  ['n', t('help.next')],
  ['r', t('help.reply')],
  ['c', t('help.compose')],
  ['x', t('help.composeDirect')],
  ['/', t('help.search')],
];

const formatsIn = ({ t }: Words): Rows => [
  [`**${t('help.bold')}**`, t('help.bold')],
  [`*${t('help.italic')}*`, t('help.italic')],
  ['`code`', t('help.code')],
  ['> …', t('help.quotation')],
  ['* …', t('help.list')],
  ['@name', t('help.mention')],
  ['#name', t('help.toChannel')],
  [':name', t('help.emoji')],
];

function table(caption: string, rows: Rows, tag: 'kbd' | 'code'): Html {
  const what = (text: string) => (tag === 'kbd' ? html`<kbd>${text}</kbd>` : html`<code>${text}</code>`);
  return html`<table class="guide-table"><caption class="sr">${caption}</caption>
${rows.map(([sign, meaning]) => html`<tr><th scope="row">${what(sign)}</th><td>${meaning}</td></tr>`)}</table>`;
}

const bold = (text: string) => html`<b>${text}</b>`;

const helpPage = guidePage(HELP_PATH, (words) => {
  const { t, rich } = words;
  return Promise.resolve({
    title: t('help.title'),
    lede: t('help.lede'),
    body: html`<div class="guide">
<h2>${t('help.channels')}</h2>
<p>${rich('help.channelsText', { channel: bold(t('help.channel')), topic: bold(t('help.topic')) })}</p>
<p>${rich('help.directText', { direct: bold(t('help.direct')) })}</p>
<h2>${t('help.inbox')}</h2>
<p>${t('help.inboxText')}</p>
<h2>${t('help.writing')}</h2>
${table(t('help.formats'), formatsIn(words), 'code')}
<h2>${t('help.keys')}</h2>
${table(t('help.keysOf'), keysIn(words), 'kbd')}
<h2>${t('help.trouble')}</h2>
<ul>
<li>${t('help.noPush')}</li>
<li>${t('help.noMail')}</li>
<li>${t('help.noChannel')}</li>
</ul>
</div>
${below({ text: t('apps.title'), href: APPS_PATH }, { text: t('guide.openClient'), href: '/' })}`,
  });
});

/** Browsers are sent on from the addresses that people type. */
export const guidePages = [appsPage, helpPage];
