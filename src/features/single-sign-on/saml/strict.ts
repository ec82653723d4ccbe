import { Parser } from 'htmlparser2';
import { ProviderFault } from '../vouched.ts';

/** Most bytes of a message. Unauthenticated callers may not send much longer forms anyway. */
export const MAX_BYTES = 48_000;
/** Greatest depth of elements: twice that of an assertion with everything in the standard. */
const MAX_DEPTH = 40;
/**
 * Most elements, and most attributes of one: room for several hundred groups. The library's work before it verifies a
 * signature grows with their square: 11,000 elements took three seconds.
 */
const [MAX_ELEMENTS, MAX_ATTRIBUTES] = [1000, 30];

/** Accepted algorithms for signatures, digests and encryption; SHA-1, RSA 1.5 and symmetric keys are not among them. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
]);
/** The digest inside RSA-OAEP, where SHA-1 does no harm. */
const OAEP_DIGEST = 'http://www.w3.org/2000/09/xmldsig#sha1';

/** An element of a message, with a path of element names without prefixes: `Response/Issuer`. */
export interface Element {
  readonly at: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The element's own text, trimmed. */
  readonly text: string;
  /** The element's source text. */
  readonly source: string;
}

interface Growing {
  readonly at: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly begin: number;
  end: number;
  text: string;
}

/**
 * Parses the elements of a message in their order, before or after its signature is verified. Refuses what no provider
 * sends and attackers use: document types and entities, comments and instructions (about which parsers disagree), great
 * depth, thousands of elements, weak algorithms.
 */
export function elementsOf(xml: string): readonly Element[] {
  assertPlain(xml);
  // Parsers may disagree about what an element is, but none sees one without this character.
  if (xml.split('<').length - 1 > 2 * MAX_ELEMENTS) throw invalid('elements');
  const found: Growing[] = [];
  const open: Growing[] = [];
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const name = tag.slice(tag.indexOf(':') + 1);
        const parent = open.at(-1)?.at;
        if (open.length > MAX_DEPTH) throw invalid('depth');
        if (found.length >= MAX_ELEMENTS) throw invalid('elements');
        if (Object.keys(attributes).length > MAX_ATTRIBUTES) throw invalid('attributes');
        assertAlgorithm(name, parent ?? '', attributes['Algorithm']);
        const at = parent === undefined ? name : `${parent}/${name}`;
        const element = { at, attributes, begin: parser.startIndex, end: xml.length, text: '' };
        found.push(element);
        open.push(element);
      },
      ontext: (text) => {
        const element = open.at(-1);
        if (element) element.text += text;
      },
      onclosetag: () => {
        const element = open.pop();
        if (element) element.end = parser.endIndex + 1;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found.map(({ at, attributes, begin, end, text }) => ({
    at,
    attributes,
    text: text.trim(),
    get source() {
      return xml.slice(begin, end);
    },
  }));
}

/** Returns the only root of a message. */
export function rootOf(elements: readonly Element[]): Element {
  const [root, ...others] = elements.filter(({ at }) => !at.includes('/'));
  if (!root || others.length > 0) throw invalid('root');
  return root;
}

/** Decodes a message as forms have it: UTF-8 in Base64. */
export function decoded(message: string): string {
  if (!/^[A-Za-z0-9+/=\s]+$/.test(message)) throw invalid('encoding');
  const bytes = Buffer.from(message, 'base64');
  if (bytes.length > MAX_BYTES) throw invalid('size');
  return textOf(bytes);
}

/** Decodes bytes that must be UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('encoding');
  }
}

function assertPlain(xml: string): void {
  if (/<!|<\?/.test(xml.replace(/^\s*<\?xml [^?<>]*\?>/, ''))) throw invalid('markup');
}

function assertAlgorithm(name: string, parent: string, algorithm: string | undefined): void {
  if (algorithm === undefined || ALGORITHMS.has(algorithm)) return;
  const isInMethod = /(?:^|\/)EncryptionMethod$/.test(parent);
  const isInOaep = name === 'DigestMethod' && isInMethod && algorithm === OAEP_DIGEST;
  if (!isInOaep && !(name === 'MGF' && isInMethod)) throw invalid('algorithm');
}

/** The error for a message that is not valid. */
export function invalid(code: string, cause?: unknown): ProviderFault {
  return new ProviderFault('invalid', code, cause);
}
