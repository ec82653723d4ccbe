import { BodyMalformed } from '#kernel/errors';

/** Most fields of one form. */
const MAX_FIELDS = 2000;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Adds the fields of a urlencoded body; the last of a repeated name wins. Text that is not UTF-8 is refused. */
export function parseForm(body: Buffer | string, into: Map<string, string>): void {
  const text = typeof body === 'string' ? body : decodeUtf8(body);
  if (text === '') return;
  const pairs = text.split('&');
  if (pairs.length > MAX_FIELDS) throw BodyMalformed();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    into.set(unescape(name), equals < 0 ? '' : unescape(pair.slice(equals + 1)));
  }
}

/** Text of bytes that must be UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw BodyMalformed();
  }
}

function unescape(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return unescapeLeniently(spaced);
  }
}

/** A stray % stays as it is, as browsers and every form parser have it; escaped bytes that are not UTF-8 are refused. */
function unescapeLeniently(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9a-fA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8(Buffer.from(bytes, 'latin1'));
}
