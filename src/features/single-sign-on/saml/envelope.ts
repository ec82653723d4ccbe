import { Parser } from 'htmlparser2';
import { ProviderFault } from '../vouched.ts';

/** Most bytes of an answer. Strangers may send no form that is much longer. */
const MAX_BYTES = 48_000;
/** Deepest element: twice as deep as an assertion with everything that the standard has goes. */
const MAX_DEPTH = 40;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Ways to sign, to digest and to encrypt that are taken; SHA-1, RSA 1.5 and keys that both sides share are not among them. */
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

/** What the outermost element of an answer says. */
interface Envelope {
  readonly destination: string | undefined;
  readonly requestId: string | undefined;
}

/**
 * Reads an answer before anything is verified, and refuses what no provider sends and attackers like: document types and
 * entities, comments and instructions (with which parsers disagree about texts), several assertions, weak algorithms.
 */
export function readEnvelope(response: string): Envelope {
  const xml = strictly(decoded(response));
  const roots: Envelope[] = [];
  let assertion: string | undefined;
  const statuses: string[] = [];
  const path: string[] = [];
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        const name = local(tag);
        if (path.length === 0) {
          if (name !== 'Response') throw untrue('root');
          roots.push({ destination: attributes['Destination'], requestId: attributes['InResponseTo'] });
        }
        if (path.length > MAX_DEPTH) throw untrue('depth');
        if (name === 'Assertion' || name === 'EncryptedAssertion') {
          if (assertion !== undefined) throw untrue('assertions');
          assertion = [...path, name].join('/');
        }
        if (name === 'StatusCode') statuses.push(attributes['Value'] ?? '');
        assertAlgorithm(name, path, attributes['Algorithm']);
        path.push(name);
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const [root] = roots;
  if (!root || roots.length > 1) throw untrue('root');
  if (statuses[0] !== SUCCESS) throw new ProviderFault('refused', 'status');
  if (!/^Response\/(?:Encrypted)?Assertion$/.test(assertion ?? '')) throw untrue('assertions');
  return root;
}

/** The same text, if nothing in it makes parsers disagree: document types, comments, instructions. */
export function strictly(xml: string): string {
  if (/<!|<\?/.test(xml.replace(/^\s*<\?xml [^?<>]*\?>/, ''))) throw untrue('markup');
  return xml;
}

function assertAlgorithm(name: string, path: readonly string[], algorithm: string | undefined): void {
  if (algorithm === undefined || ALGORITHMS.has(algorithm)) return;
  const isInOaep = name === 'DigestMethod' && path.at(-1) === 'EncryptionMethod' && algorithm === OAEP_DIGEST;
  const isMgf = name === 'MGF' && path.at(-1) === 'EncryptionMethod';
  if (!isInOaep && !isMgf) throw untrue('algorithm');
}

function decoded(response: string): string {
  if (!/^[A-Za-z0-9+/=\s]+$/.test(response)) throw untrue('encoding');
  const bytes = Buffer.from(response, 'base64');
  if (bytes.length > MAX_BYTES) throw untrue('size');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw untrue('encoding');
  }
}

const local = (tag: string): string => tag.slice(tag.indexOf(':') + 1);

function untrue(code: string): ProviderFault {
  return new ProviderFault('untrue', code);
}
