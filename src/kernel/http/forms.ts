import { nextTurn } from '#kernel/endpoint';
import { BodyMalformed } from '#kernel/errors';
import { unescapeInTurns } from './long-fields.ts';

/** Largest form that is parsed at once, in bytes: takes a few milliseconds at worst. */
const AT_ONCE_BYTES = 16 * 1024;
const [AND, EQUALS] = [38, 61];
/** Most fields of one form. */
const MAX_FIELDS = 2000;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Adds the fields of a urlencoded body; the last one of a repeated name counts. Throws if it is not UTF-8. */
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

/** As `parseForm` for a body of any length, without blocking; a short one is parsed when this returns. */
export function readForm(body: Buffer, into: Map<string, string>): Promise<void> | undefined {
  if (body.length > AT_ONCE_BYTES) return readFormInTurns(body, into);
  parseForm(body, into);
  return undefined;
}

async function readFormInTurns(body: Buffer, into: Map<string, string>): Promise<void> {
  let [fields, turnAt] = [0, AT_ONCE_BYTES];
  for (let at = 0; at < body.length; ) {
    if (++fields > MAX_FIELDS) throw BodyMalformed();
    const and = body.indexOf(AND, at);
    const pair = body.subarray(at, and < 0 ? body.length : and);
    at += pair.length + 1;
    if (at >= turnAt) {
      turnAt = at + AT_ONCE_BYTES;
      await nextTurn();
    }
    if (pair.length <= AT_ONCE_BYTES) parseForm(pair, into);
    else await readLong(pair, into);
  }
}

async function readLong(pair: Buffer, into: Map<string, string>): Promise<void> {
  const equals = pair.indexOf(EQUALS);
  const end = equals < 0 ? pair.length : equals;
  try {
    const name = await unescapeInTurns(pair.subarray(0, end));
    into.set(name, await unescapeInTurns(pair.subarray(end + 1)));
  } catch {
    throw BodyMalformed();
  }
}

/** Decodes bytes; throws if they are not UTF-8. */
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

/** An invalid % escape stays as it is, as in browsers; escaped bytes that are not UTF-8 are refused. */
function unescapeLeniently(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9a-fA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8(Buffer.from(bytes, 'latin1'));
}
