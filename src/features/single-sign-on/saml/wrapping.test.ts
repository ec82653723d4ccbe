import { createHash, createHmac, createSign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databasesInTurn } from '../../../../test/support/databases.ts';
import { signInFile } from '../../../../test/support/identity-provider.ts';
import * as certificates from '../../../../test/support/saml-certificates.ts';
import { SAML_SETTINGS, SamlProvider } from '../../../../test/support/saml-provider.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
type Part = 'saml:Assertion' | 'samlp:Response';
type Change = (xml: string, part: Part) => string;

/** A signed part of an answer, with and without its signature, and the same about somebody else. */
function partsOf(xml: string, part: Part, [from, to]: readonly [string, string]) {
  const whole = new RegExp(`<${part}[ >][\\s\\S]*</${part}>`).exec(xml)?.[0] ?? '';
  const signature = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(whole)?.[0] ?? '';
  const bare = whole.replace(signature, '');
  const evil = bare.replace(/ ID="[^"]+"/, ' ID="_evil"').replaceAll(from, to);
  return { whole, signature, bare, evil };
}
/** Puts something behind the issuer of an element: where signatures stand. */
const behindIssuer = (xml: string, what: string) => xml.replace('</saml:Issuer>', `</saml:Issuer>${what}`);
const within = (xml: string, part: Part, what: string) => xml.replace(new RegExp(`</${part}>$`), `${what}</${part}>`);
const holding = (signature: string, what: string) =>
  signature.replace('</ds:Signature>', `<ds:Object>${what}</ds:Object></ds:Signature>`);

/** The form of an element over which signatures are made: attributes in their order, and no empty elements. */
function canonical(xml: string): string {
  return xml.replaceAll(/<([\w:]+)((?: [\w:]+="[^"]*")*)(\/?)>/g, (_whole, name: string, attributes: string, end) => {
    const sorted = (attributes.match(/ [\w:]+="[^"]*"/g) ?? []).toSorted((a, b) => rank(a).localeCompare(rank(b)));
    return `<${name}${sorted.join('')}>${end === '' ? '' : `</${name}>`}`;
  });
}
const rank = (attribute: string) => `${attribute.startsWith(' xmlns') ? 0 : 1}${attribute}`;

interface Signing {
  readonly algorithm: string;
  readonly digest?: 'sha1' | 'sha256';
  readonly name?: string;
  readonly sign: (text: string) => string;
}

/** Signs an answer's assertion anew, without a library, so that nothing is too weak. */
function signedAnew(xml: string, { algorithm, digest = 'sha256', name = 'Algorithm', sign }: Signing): string {
  const { whole, signature, bare } = partsOf(xml, 'saml:Assertion', ['', '']);
  const value = createHash(digest).update(canonical(bare)).digest('base64');
  const uri = digest === 'sha1' ? `${XMLDSIG}sha1` : 'http://www.w3.org/2001/04/xmlenc#sha256';
  const info = (/<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/.exec(signature)?.[0] ?? '')
    .replace(/<ds:SignatureMethod[^>]*>/, `<ds:SignatureMethod ${name}="${algorithm}"/>`)
    .replace(/<ds:DigestMethod[^>]*>/, `<ds:DigestMethod ${name}="${uri}"/>`)
    .replace(/DigestValue>[^<]*</, `DigestValue>${value}<`);
  const declared = info.replace('<ds:SignedInfo>', `<ds:SignedInfo xmlns:ds="${XMLDSIG}">`);
  const anew = signature
    .replace(/<ds:SignedInfo[\s\S]*<\/ds:SignedInfo>/, info)
    .replace(/SignatureValue>[^<]*</, `SignatureValue>${sign(canonical(declared))}<`);
  return xml.replace(whole, whole.replace(signature, anew));
}
const byKey = (hash: string) => (text: string) =>
  createSign(hash).update(text).sign(certificates.SAML_PROVIDER_KEY, 'base64');

describe.each(databasesInTurn(import.meta.url))('answers of SAML that are put together anew, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...SAML_SETTINGS, id: 'assertions', name: 'A' },
          { ...SAML_SETTINGS, id: 'responses', name: 'R', signs: 'responses' },
        ],
      }),
    });
  });
  afterAll(() => world.close());

  /** Signs max in with a changed answer; returns the status, and whose page the browser then sees. */
  async function signIn(signs: 'assertions' | 'responses', change: (xml: string) => string) {
    const visitor = new Visitor(world.server);
    const metadata = (await visitor.get(`/complete/${signs}/metadata.xml`)).text;
    const idp = new SamlProvider(metadata, () => world.clock.now());
    idp.person = { nameId: world.max.email, email: [world.max.email], displayName: ['Somebody'] };
    const { location } = await visitor.get(`/accounts/login/social/${signs}/`);
    const SAMLResponse = await idp.answer(location, { signs, signed: change });
    const posted = await new Visitor(world.server).post(`/complete/${signs}/`, { SAMLResponse });
    const { status } = posted.location === undefined ? posted : await visitor.get(posted.location);
    const { text } = await visitor.get('/');
    return [status, [world.max, world.olive].find(({ email }) => text.includes(email))?.email];
  }
  const people = (): readonly [string, string] => [world.max.email, world.olive.email];
  const partOf = (xml: string, part: Part) => partsOf(xml, part, people());

  // Named as in "On Breaking SAML: Be Whoever You Want to Be" (USENIX Security 2012).
  const wrappings: [string, Change][] = [
    [
      'XSW 1 and 6: the signed one inside the signature of another',
      (xml, part) => {
        const { whole, bare, signature, evil } = partOf(xml, part);
        return xml.replace(whole, behindIssuer(evil, holding(signature, bare)));
      },
    ],
    [
      'XSW 2 and 5: the signed one beside its signature, in another',
      (xml, part) => {
        const { whole, bare, signature, evil } = partOf(xml, part);
        return xml.replace(whole, behindIssuer(evil, `${bare}${signature}`));
      },
    ],
    [
      'XSW 3: another before the signed one',
      (xml, part) => {
        const { whole, evil } = partOf(xml, part);
        return xml.replace(whole, `${evil}${whole}`);
      },
    ],
    [
      'XSW 4: the signed one inside another',
      (xml, part) => {
        const { whole, evil } = partOf(xml, part);
        return xml.replace(whole, within(evil, part, whole));
      },
    ],
    [
      'XSW 5: another with the signature, the signed one behind it',
      (xml, part) => {
        const { whole, bare, signature, evil } = partOf(xml, part);
        return xml.replace(whole, `${behindIssuer(evil, signature)}${bare}`);
      },
    ],
    [
      'XSW 7: another among extensions',
      (xml, part) => {
        const { evil } = partOf(xml, part);
        return xml.replace('<samlp:Status>', `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`);
      },
    ],
    [
      'XSW 8: the signed one in an object of the signature, which stands in it',
      (xml, part) => {
        const { whole, bare, signature, evil } = partOf(xml, part);
        return xml.replace(whole, within(evil, part, holding(signature, bare)));
      },
    ],
    [
      'another of the same ID inside the signed one',
      (xml, part) => {
        const { whole, evil } = partOf(xml, part);
        const id = / ID="[^"]+"/.exec(whole)?.[0] ?? '';
        return xml.replace(whole, within(evil.replace(' ID="_evil"', id), part, whole));
      },
    ],
    [
      'another with the same ID by the name of a namespace',
      (xml, part) => {
        const { whole, bare, signature, evil } = partOf(xml, part);
        const id = / ID="([^"]+)"/.exec(whole)?.[1] ?? '';
        const alike = evil.replace(' ID="_evil"', ` ID="_evil" xmlns:x="urn:x" x:ID="${id}"`);
        return xml.replace(whole, behindIssuer(alike, holding(signature, bare)));
      },
    ],
    [
      'a signature over all of it and none of it',
      (xml, part) => {
        const { whole, signature, evil } = partOf(xml, part);
        return xml.replace(whole, behindIssuer(evil, signature.replace(/ URI="[^"]*"/, ' URI=""')));
      },
    ],
    [
      'a second reference, to something else',
      (xml, part) => {
        const { whole, signature, bare, evil } = partOf(xml, part);
        const reference = /<ds:Reference[\s\S]*<\/ds:Reference>/.exec(signature)?.[0] ?? '';
        const two = signature.replace(reference, reference + reference.replace(/URI="[^"]*"/, 'URI="#_evil"'));
        return xml.replace(whole, behindIssuer(evil, holding(two, bare)));
      },
    ],
    [
      'a second signature, of nobody',
      (xml, part) => {
        const { whole, signature, evil } = partOf(xml, part);
        return xml.replace(whole, behindIssuer(evil, signature.replace(/URI="[^"]*"/, 'URI="#_evil"') + signature));
      },
    ],
  ];
  describe.each([
    ['assertions', 'saml:Assertion'],
    ['responses', 'samlp:Response'],
  ] as const)('where %s are signed', (signs, part) => {
    it.each(wrappings)('%s', async (_what, change) => {
      expect(await signIn(signs, (xml) => change(xml, part))).toEqual([403, undefined]);
    });

    it('let in whom the provider means where nothing was changed', async () => {
      expect(await signIn(signs, (xml) => xml)).toEqual([303, world.max.email]);
    });
  });

  it.each<[string, Signing, boolean]>([
    ['RSA and SHA-256', { algorithm: `${MORE}rsa-sha256`, sign: byKey('sha256') }, true],
    ['RSA and SHA-1', { algorithm: `${XMLDSIG}rsa-sha1`, sign: byKey('sha1') }, false],
    ['a digest by SHA-1', { algorithm: `${MORE}rsa-sha256`, digest: 'sha1', sign: byKey('sha256') }, false],
    [
      'RSA and SHA-1, said in another namespace',
      { algorithm: `${XMLDSIG}rsa-sha1`, name: 'ds:Algorithm', sign: byKey('sha1') },
      false,
    ],
    [
      "the provider's certificate as a shared secret",
      {
        algorithm: `${MORE}hmac-sha256`,
        sign: (text) => createHmac('sha256', certificates.SAML_PROVIDER_CERTIFICATE).update(text).digest('base64'),
      },
      false,
    ],
    ['nothing', { algorithm: `${MORE}none`, sign: () => '' }, false],
  ])('are signed by %s', async (_how, signing, isGood) => {
    const expected = isGood ? [303, world.max.email] : [403, undefined];
    expect(await signIn('assertions', (xml) => signedAnew(xml, signing))).toEqual(expected);
  });
});
