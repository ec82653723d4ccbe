import { mayHold, unitAt } from '../characters.ts';

/** Schemes that a link may have (protocol/markdown#addresses-and-safety). */
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
/** An `@` before a query or a fragment. */
const mailbox = /^[^?#]*@/;
/** Characters of an address that tell whether its scheme and host are sound. */
const LONGEST_HOST = 300;
const spaces = / /g;
const mayHoldControl = mayHold(/\p{Cc}/u);
const mayHoldDoubt = mayHold(/[/?#[\]]/);
// Most addresses are one of these, whose checks need not be made one by one, which takes several times as long.
const common = /^(?:https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][!-~]*)?|[A-Za-z0-9.-]+)$/;

/**
 * Checks an address as typed and completes it (protocol/markdown#links, protocol/markdown#addresses-and-safety): a
 * space becomes `%20`, no scheme becomes `http://`, the scheme is written in lower case. Undefined when it is refused.
 */
export function cleanAddress(typed: string): string | undefined {
  if (isHopeless(typed)) return undefined;
  if (common.test(typed)) return typed.includes(':') ? typed : `http://${typed}`;
  const address = strip(typed);
  const whole = address === undefined ? undefined : completed(address);
  return whole?.includes(' ') ? whole.replace(spaces, '%20') : whole;
}

function completed(address: string): string | undefined {
  if (address.startsWith('#')) return address.length > 1 ? address : undefined;
  if (address.startsWith('//')) return withHost(`http:${address}`);
  if (address.startsWith('/')) return address;
  const match = address.includes(':') ? scheme.exec(address) : null;
  if (match) {
    const name = (match[1] ?? '').toLowerCase();
    return allowedSchemes.has(name) ? withHost(`${name}:${match[2] ?? ''}`) : undefined;
  }
  // Without any of these the host is neither missing nor in brackets.
  const whole = mayHoldDoubt(address) ? withHost(`http://${address}`) : `http://${address}`;
  return whole !== undefined && address.includes('@') && mailbox.test(address) ? `mailto:${address}` : whole;
}

/** Takes away what browsers do not see; undefined when nothing is left, or something that must not be. */
function strip(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (!mayHoldControl(trimmed)) return trimmed === '' ? undefined : trimmed;
  const address = trimmed.replace(leading, '').replace(dropped, '');
  return address === '' || mayHoldControl(address) ? undefined : address;
}

/** Looks at the beginning only, so that a long address is refused at once. */
export function isHopeless(typed: string): boolean {
  return typed.length > LONGEST_HOST && cleanAddress(typed.slice(0, LONGEST_HOST)) === undefined;
}

/** A host that is missing or has square brackets; others are sound. */
const doubtfulHost = /^[a-z0-9+.-]+:\/\/(?:[^/?#[\]]*[[\]]|[/?#]|$)/;
const missingHost = /^[a-z0-9+.-]+:\/\/(?:[/?#]|$)/;
const literalHost = /^[a-z0-9+.-]+:\/\/(?:[^/?#@[\]]*@)?\[[0-9a-fA-F:.]+\](?::\d*)?(?:[/?#]|$)/;

/** Refuses an address whose host cannot be parsed (protocol/markdown#cleaner-results). */
function withHost(address: string): string | undefined {
  if (!doubtfulHost.test(address)) return address;
  const isSound = missingHost.test(address) ? !/^https?:/.test(address) : literalHost.test(address);
  return isSound ? address : undefined;
}

/**
 * Writes an address within the realm without the realm's own address (protocol/markdown#own-addresses): `#narrow/…`,
 * `user_uploads/…`. Others stay as they are.
 */
export function relativeToRealm(address: string, realmUrl: string | undefined): string {
  if (realmUrl === undefined || !address.startsWith(realmUrl) || unitAt(address, realmUrl.length) !== 47)
    return address;
  const rest = address.slice(realmUrl.length + 1);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : address;
}
