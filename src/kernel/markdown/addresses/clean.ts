import { mayHold, unitAt } from '../characters.ts';

/** Schemes that a link may have (protocol/markdown#addresses-and-safety). */
const allowedSchemes: ReadonlySet<string> = new Set(
  (
    'http https ftp file mid bitcoin geo hansoft im irc ircs magnet mailto matrix obsidian mms news nntp openpgp4fpr ' +
    'sip sms smsto ssh tel urn webcal wtai xmpp zotero asanadesktop'
  ).split(' '),
);

const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s;
// Browsers ignore these characters, so a scheme must be recognized without them.
const leading = /^[\p{Cc} ]+/u;
const dropped = /[\t\n\r]/g;
/** Matches an address with an `@` before any query or fragment. */
const mailbox = /^[^?#]*@/;
/** Longest beginning of an address that is checked alone, in UTF-16 units. */
const LONGEST_HOST = 300;
const spaces = / /g;
/** Tests for characters that need closer checks of the address or its host. */
const mayHoldControl = mayHold(/\p{Cc}/u);
const mayHoldDoubt = mayHold(/[/?#[\]]/);
// Most addresses match this pattern and need no further checks, which take several times as long.
const common = /^(?:https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#][!-~]*)?|[A-Za-z0-9.-]+)$/;

/**
 * Checks an address as typed and completes it (protocol/markdown#links, protocol/markdown#addresses-and-safety): a
 * space becomes `%20`, `http://` is added if there is no scheme, and the scheme becomes lower-case. Undefined if it is
 * refused.
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
  // Without any of these characters the host is neither missing nor in brackets.
  const whole = mayHoldDoubt(address) ? withHost(`http://${address}`) : `http://${address}`;
  return whole !== undefined && address.includes('@') && mailbox.test(address) ? `mailto:${address}` : whole;
}

/** Removes what browsers ignore; undefined if nothing is left, or a character that is not allowed. */
function strip(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (!mayHoldControl(trimmed)) return trimmed === '' ? undefined : trimmed;
  const address = trimmed.replace(leading, '').replace(dropped, '');
  return address === '' || mayHoldControl(address) ? undefined : address;
}

/** Whether the beginning alone is refused, so that a long address need not be checked whole. */
export function isHopeless(typed: string): boolean {
  return typed.length > LONGEST_HOST && cleanAddress(typed.slice(0, LONGEST_HOST)) === undefined;
}

/** A host that is missing or contains square brackets; all others are accepted. */
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
 * Makes an address within the realm relative (protocol/markdown#own-addresses): `#narrow/…`, `user_uploads/…`. Others
 * stay as they are.
 */
export function relativeToRealm(address: string, realmUrl: string | undefined): string {
  if (realmUrl === undefined || !address.startsWith(realmUrl) || unitAt(address, realmUrl.length) !== 47)
    return address;
  const rest = address.slice(realmUrl.length + 1);
  return rest.startsWith('#') || rest.startsWith('user_uploads/') ? rest : address;
}
