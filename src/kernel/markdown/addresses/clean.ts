/** Schemes that a link may have (contract 6.2). */
const allowedSchemes: ReadonlySet<string> = new Set(
  (
    'http https ftp file mid bitcoin geo hansoft im irc ircs magnet mailto matrix obsidian mms news nntp openpgp4fpr ' +
    'sip sms smsto ssh tel urn webcal wtai xmpp zotero asanadesktop'
  ).split(' '),
);

const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s;
// Browsers drop these before they read a scheme, so they must not hide one from us.
const leading = /^[\p{Cc} ]+/u;
const dropped = /[\t\n\r]/g;
/** Characters of an address that tell whether its scheme and host are sound. */
const LONGEST_HOST = 300;
const control = /\p{Cc}/u;
// Most addresses are one of these, whose checks need not be made one by one, which takes several times as long.
const complete = /^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][!-~]*)?$/;
const bareHost = /^[A-Za-z0-9.-]+$/;

/**
 * Checks an address as typed and completes it (contract 1.15, 6.2): a space becomes `%20`, no scheme becomes `http://`,
 * the scheme is written in lower case. Undefined when it is refused.
 */
export function cleanAddress(typed: string): string | undefined {
  if (isHopeless(typed)) return undefined;
  if (complete.test(typed)) return typed;
  if (bareHost.test(typed)) return `http://${typed}`;
  const address = strip(typed).replaceAll(' ', '%20');
  if (address === '' || control.test(address)) return undefined;
  if (address.startsWith('#')) return address.length > 1 ? address : undefined;
  if (address.startsWith('//')) return withHost(`http:${address}`);
  if (address.startsWith('/')) return address;
  const match = scheme.exec(address);
  if (match) {
    const name = (match[1] ?? '').toLowerCase();
    return allowedSchemes.has(name) ? withHost(`${name}:${match[2] ?? ''}`) : undefined;
  }
  const [path = ''] = address.split(/[?#]/, 1);
  return path.includes('@') ? `mailto:${address}` : withHost(`http://${address}`);
}

/** Takes away what browsers do not see. */
function strip(typed: string): string {
  const trimmed = typed.trim();
  return control.test(trimmed) ? trimmed.replace(leading, '').replace(dropped, '') : trimmed;
}

/** Looks at the beginning only, so that a long address is refused at once. */
export function isHopeless(typed: string): boolean {
  const beginning = typed.slice(0, LONGEST_HOST);
  if (complete.test(beginning) || bareHost.test(beginning)) return false;
  const start = strip(beginning);
  const match = scheme.exec(start);
  if (match) return !allowedSchemes.has((match[1] ?? '').toLowerCase()) || withHost(start.toLowerCase()) === undefined;
  return !/^[#/]/.test(start) && withHost(`http://${start}`) === undefined;
}

const withoutHost = /^https?:\/\/(?:[/?#]|$)/;

/** Refuses an address whose host cannot be parsed (contract 7.3). */
function withHost(address: string): string | undefined {
  if (withoutHost.test(address)) return undefined;
  if (!/[[\]]/.test(address)) return address;
  const host = /^[a-z0-9+.-]+:\/\/([^/?#]*)/.exec(address)?.[1];
  return host === undefined || !/[[\]]/.test(host) || literalHost(host) ? address : undefined;
}

function literalHost(host: string): boolean {
  return /^(?:[^@[\]]*@)?\[[0-9a-fA-F:.]+\](?::\d*)?$/.test(host);
}

/**
 * Writes an address within the realm without the realm's own address (contract 2.17): `#narrow/…`,
 * `user_uploads/…`. Others stay as they are.
 */
export function relativeToRealm(address: string, realmUrl: string | undefined): string {
  if (realmUrl === undefined || !address.startsWith(`${realmUrl}/`)) return address;
  const rest = address.slice(realmUrl.length + 1);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : address;
}
