import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { html, type Html } from '#kernel/html';
import type { Mail } from '#kernel/mail';

/** The sender of a mail, for its footer. */
export interface Sender {
  readonly organization: string;
  readonly url: string;
  /** Address for support; undefined if the operator configured none. */
  readonly support: string | undefined;
}

/** A mail whose HTML is made from its text. */
export interface PlainMail extends Mail {
  /** The requested action: a paragraph of the text that is this address becomes a button in HTML. */
  readonly action?: { readonly label: string; readonly url: string };
}

/** Colours of the web client. Mail programs without dark mode show the light ones. */
const STYLE = html`<style>body { margin: 0; padding: 24px 12px; background: #f1f0eb; color: #1c2430; font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
.card { max-width: 560px; margin: 0 auto; padding: 24px; background: #ffffff; border: 1px solid #dcdad2; border-radius: 10px; }
.from, .foot { max-width: 560px; margin: 0 auto 12px; padding: 0 24px; font-size: 14px; color: #57606c; }
.foot { margin-top: 12px; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
h2 { margin: 24px 0 8px; font-size: 17px; }
h1, h2, p, .said, .from, .foot { overflow-wrap: anywhere; }
p { margin: 0 0 12px; }
.said { margin: 0 0 12px; padding-left: 12px; border-left: 3px solid #dcdad2; white-space: pre-wrap; }
.small { font-size: 13px; color: #57606c; }
a { color: #00566d; }
.go { display: inline-block; margin: 8px 0; padding: 10px 18px; border-radius: 8px; background: #00566d; color: #ffffff; text-decoration: none; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  body { background: #12181f; color: #e8e6e0; }
  .card { background: #1a212a; border-color: #323b46; }
  .from, .foot, .small { color: #a5adb8; }
  .said { border-color: #46505c; }
  a { color: #74cfdd; }
  .go { background: #74cfdd; color: #10222a; }
}
</style>`;

/** An organization as the sender of mails. */
export function senderOf(context: Pick<Context, 'server'>, realm: Pick<RealmRef, 'name' | 'url'>): Sender {
  return { organization: realm.name, url: realm.url, support: context.server.supportAddress };
}

/**
 * A mail in plain text and in responsive HTML with light and dark colours; without `inside` the HTML is made from the
 * text.
 */
export function withLayout({ action, ...mail }: PlainMail, sender: Sender, inside?: Html): Mail {
  const { organization, url, support } = sender;
  const help = support === undefined ? [] : [`Questions? Write to ${support}.`];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${mail.subject}</title>
${STYLE}
</head>
<body>
<div class="from">${organization}</div>
<div class="card">
${inside ?? html`<h1>${mail.subject}</h1>\n${paragraphsOf(mail.text, url, action)}`}
</div>
<div class="foot"><a href="${url}">${url}</a>${help.map((line) => html`<br>${line}`)}</div>
</body>
</html>
`;
  return { ...mail, text: [mail.text.trimEnd(), ...help].join('\n\n'), html: String(page) };
}

/** The text of a mail as HTML: a paragraph for each block of lines, and addresses of the organization as links. */
function paragraphsOf(text: string, url: string, action: PlainMail['action']): Html {
  const blocks = text.trim().split(/\n{2,}/);
  return html`${blocks.map((block) => (block === action?.url ? buttonOf(action) : html`<p>${block.split('\n').map((line, index) => lineOf(line, index, url))}</p>\n`))}`;
}

/** A button, followed by its address for mail programs that do not show buttons. */
function buttonOf({ label, url }: NonNullable<PlainMail['action']>): Html {
  return html`<p><a class="go" href="${url}">${label}</a></p>\n<p class="small"><a href="${url}">${url}</a></p>\n`;
}

/** Other addresses stay text: names of people stand in a mail, too, and a name can be an address. */
function lineOf(line: string, index: number, url: string): Html {
  const parts = line.split(/(https?:\/\/[^\s<>"]+[^\s<>".,:;!?)])/);
  const isOurs = (part: string, at: number) => at % 2 === 1 && `${part}/`.startsWith(`${url}/`);
  const marked = parts.map((part, at) => (isOurs(part, at) ? html`<a href="${part}">${part}</a>` : html`${part}`));
  return html`${index > 0 && html`<br>`}${marked}`;
}
