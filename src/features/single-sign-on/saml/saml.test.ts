import crypto from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HelperThread } from '#kernel/threads';
import { Visitor } from '../../../../test/support/browser-client.ts';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { signInFile } from '../../../../test/support/identity-provider.ts';
import * as certificates from '../../../../test/support/saml-certificates.ts';
import {
  SAML_ISSUER,
  SAML_SIGN_IN,
  type SamlLies,
  SamlProvider,
  samlRequestIn,
} from '../../../../test/support/saml-provider.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { verified } from './verify-message.js';

/** Verifies in this thread, where it is seen what the libraries do. */
const verifyHere = () =>
  vi.spyOn(HelperThread.prototype, 'ask').mockImplementation((task) =>
    verified(task).then(
      (said) => ({ said }),
      ({ name, message }) => ({ fault: { name, message } }),
    ),
  );

const BEGIN = '/accounts/login/social/acme/';
const ANSWER = '/complete/acme/';
const PAD = 'ab'.repeat(32);
const SEVERAL = '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_evil"';

describe.each(databases)('signing in by SAML, on %s (protocol/authentication#saml)', (database) => {
  let world: World;
  let idp: SamlProvider;
  let plain: SamlProvider;
  beforeAll(async () => {
    const known = {
      kind: 'saml',
      issuer: SAML_ISSUER,
      sign_in_url: SAML_SIGN_IN,
      certificates: [certificates.SAML_SERVER_CERTIFICATE, certificates.SAML_PROVIDER_CERTIFICATE],
      private_key: certificates.SAML_SERVER_KEY,
      certificate: certificates.SAML_SERVER_CERTIFICATE,
    };
    const roles = { administrator: ['admins'], guest: ['visitors'] };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...known, id: 'acme', name: 'Acme', emails_verified: true, roles },
          { ...known, id: 'whole', name: 'Whole', emails_verified: true, signs: 'both' },
          { ...known, id: 'plain', name: 'Plain', signs: 'responses' },
        ],
      }),
    });
    idp = await providerOf('acme');
    plain = await providerOf('plain');
    await world.olive.patch('/realm', { invite_required: false });
  });
  afterAll(() => world.close());

  async function providerOf(id: string): Promise<SamlProvider> {
    const { status, text, headers } = await new Visitor(world.server).get(`/complete/${id}/metadata.xml`);
    expect([status, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml']);
    return new SamlProvider(text, () => world.clock.now());
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status !== 303;
  const addresses = async () =>
    (await world.olive.get('/users')).members.map(({ delivery_email }: { delivery_email: string }) => delivery_email);
  /** The form of the provider's page: a browser sends no cookies of ours with it. */
  const post = (response: string, path = ANSWER) => new Visitor(world.server).post(path, { SAMLResponse: response });

  async function signIn(lies: SamlLies = {}, visitor = new Visitor(world.server), begin = BEGIN) {
    const response = await idp.answer((await visitor.get(begin)).location, lies);
    const posted = await post(response);
    const answer = posted.location === undefined ? posted : await visitor.get(posted.location);
    return { visitor, answer, posted, response };
  }
  function be(client: Pick<Client, 'email'>, nameId = `at-acme-${client.email}`): void {
    idp.person = { nameId, email: [client.email], displayName: ['Somebody'] };
  }

  it('lets people in by signed requests and answers, and knows them afterwards by who they are there', async () => {
    be(world.max);
    const { visitor, answer } = await signIn({}, new Visitor(world.server), `${BEGIN}?next=/api/`);
    expect(answer).toMatchObject({ status: 303, location: '/api/' });
    expect((await visitor.get('/')).text).toContain(world.max.email);
    idp.person = { ...idp.person, email: [world.mia.email] };
    expect((await (await signIn()).visitor.get('/')).text).toContain(world.max.email);
  });

  it('makes accounts by the rules of the organization, with name and role', async () => {
    idp.person = {
      nameId: 'n-1',
      displayName: ['Nora Newcomer'],
      email: ['nora@acme.example'],
      groups: ['x', 'visitors'],
    };
    expect((await signIn()).answer.status).toBe(303);
    const { members } = await world.olive.get('/users');
    const nora = members.find(({ full_name }: { full_name: string }) => full_name === 'Nora Newcomer');
    expect(nora).toMatchObject({ delivery_email: 'nora@acme.example', role: 600 });
  });

  it.each(['assertions', 'responses', 'both'] as const)(
    'opens what is encrypted for us, where %s are signed',
    async (signs) => {
      be(world.max);
      const lies = { signs, encrypts: true } as const;
      const { response, answer, visitor } = await signIn(lies);
      expect(Buffer.from(response, 'base64').toString()).not.toContain(world.max.email);
      // An answer whose assertion is not signed by itself is not enough for this provider.
      expect([answer.status, await isIn(visitor)]).toEqual(signs === 'responses' ? [403, false] : [303, true]);
    },
  );

  it('opens what is encrypted without authentication only after it verified a signature around it', async () => {
    const opened = vi.spyOn(crypto, 'privateDecrypt');
    const asked = verifyHere();
    const at = async (id: string, provider: SamlProvider, lies: SamlLies) => {
      opened.mockClear();
      const { location } = await new Visitor(world.server).get(`/accounts/login/social/${id}/`);
      provider.person = { nameId: 'x-2', email: ['x2@acme.example'] };
      const response = await provider.answer(location, { encrypts: true, isCbc: true, ...lies });
      expect(Buffer.from(response, 'base64').toString()).toContain('#aes256-cbc');
      const { status } = await post(response, `/complete/${id}/`);
      return [status, opened.mock.calls.length > 0];
    };
    const changed = (xml: string) => xml.replace(/^(.*CipherValue>)[^<]{4}/s, '$1AAAA');
    expect(await at('acme', idp, {})).toEqual([403, false]);
    expect(await at('acme', idp, { signs: 'both' })).toEqual([403, false]);
    expect(await at('plain', plain, { signs: 'responses' })).toEqual([303, true]);
    expect(await at('plain', plain, { signs: 'responses', signed: changed })).toEqual([403, false]);
    expect(await at('plain', plain, { signs: 'assertions' })).toEqual([403, false]);
    opened.mockRestore();
    asked.mockRestore();
  });

  it.each([
    ['an open assertion', {}],
    ['an assertion that is encrypted, too', { encrypts: true }],
    ['a signed answer', { signs: 'both' }],
  ] as const)('knows people by a name that is encrypted apart, in %s', async (_what, lies) => {
    be(world.max, 'max-in-secret');
    const { response, answer, visitor } = await signIn({ ...lies, encryptsName: true });
    expect(Buffer.from(response, 'base64').toString()).not.toContain('max-in-secret');
    expect([answer.status, await isIn(visitor)]).toEqual([303, true]);
    // The same person as under the open name, whatever their address is now.
    idp.person = { ...idp.person, email: [world.mia.email] };
    expect((await (await signIn()).visitor.get('/')).text).toContain(world.max.email);
  });

  it('takes the signature that the operator wants: of assertions, of the whole answer, or of both', async () => {
    const at = async (id: string, provider: SamlProvider, signs: 'assertions' | 'responses' | 'both') => {
      const { location } = await new Visitor(world.server).get(`/accounts/login/social/${id}/`);
      provider.person = { nameId: 'x-1', email: ['x@acme.example'] };
      return (await post(await provider.answer(location, { signs }), `/complete/${id}/`)).status;
    };
    const whole = await providerOf('whole');
    expect([await at('whole', whole, 'both'), await at('whole', whole, 'assertions')]).toEqual([303, 403]);
    expect(await at('whole', whole, 'responses')).toBe(403);
    expect([await at('plain', plain, 'responses'), await at('plain', plain, 'assertions')]).toEqual([303, 403]);
  });

  it('joins no account by an address for which the operator does not answer', async () => {
    const visitor = new Visitor(world.server);
    const { location } = await visitor.get('/accounts/login/social/plain/');
    plain.person = { nameId: 'u-9', email: [world.mia.email] };
    const posted = await post(await plain.answer(location, { signs: 'responses' }), '/complete/plain/');
    expect((await visitor.get(posted.location ?? '')).text).toContain('not verified');
    expect(await isIn(visitor)).toBe(false);
  });

  it('hands the API key to the phone app that opened the browser (protocol/authentication#web-sign-in)', async () => {
    be(world.max);
    const { answer } = await signIn({}, new Visitor(world.server), `${BEGIN}?mobile_flow_otp=${PAD}`);
    const hidden = new URL(answer.location ?? '').searchParams.get('otp_encrypted_api_key') ?? '';
    expect(String(Buffer.from(hidden, 'hex').map((byte) => byte ^ 0xab))).toBe(world.max.apiKey);
  });

  it('is told to clients, and turned off by owners', async () => {
    const settings = await world.spectator.get('/server_settings');
    expect(settings['authentication_methods']).toMatchObject({ saml: true, 'openid connect': false });
    expect(settings['external_authentication_methods'][0]).toMatchObject({
      name: 'saml:acme',
      display_name: 'Acme',
      login_url: `http://localhost:9991${BEGIN}`,
    });
    await world.olive.patch('/realm', { authentication_methods: { Email: true, SAML: false } });
    for (const path of [BEGIN, `${ANSWER}metadata.xml`])
      expect((await new Visitor(world.server).get(path)).status).toBe(404);
    expect((await post('')).status).toBe(404);
    await world.olive.patch('/realm', { authentication_methods: { Email: true, SAML: true } });
  });

  it('takes a minute between the clocks', async () => {
    be(world.max);
    const at = (seconds: number) => new Date((world.clock.now() + seconds) * 1000).toISOString();
    const late = { until: at(-59), confirmedUntil: at(-59), now: at(-300) };
    expect((await signIn({ values: late })).answer.status).toBe(303);
    expect((await signIn({ values: { from: at(59), now: at(59) } })).answer.status).toBe(303);
  });

  describe('a provider, or who pretends to be it, gets nobody in', () => {
    const at = (seconds: number) => new Date((world.clock.now() + seconds) * 1000).toISOString();
    const other = 'https://other.example';
    const assertionOf = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
    const signatureOf = (xml: string) => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? '';
    /** The same assertion about the owner, with a name of its own and without a signature. */
    const evil = (xml: string) =>
      assertionOf(xml)
        .replace(signatureOf(xml), '')
        .replace(/ID="[^"]+"/, 'ID="_evil"')
        .replaceAll(world.max.email, world.olive.email);
    const values = (lies: Readonly<Record<string, string>>): SamlLies => ({ values: lies });

    const cases: [string, () => SamlLies][] = [
      ['without a signature', () => ({ signed: (xml) => xml.replace(signatureOf(xml), '') })],
      ['with the key of somebody else', () => ({ key: certificates.SAML_OTHER_KEY })],
      [
        'with the key of somebody else, and their certificate',
        () => ({ key: certificates.SAML_OTHER_KEY, certificate: certificates.SAML_OTHER_CERTIFICATE }),
      ],
      [
        'with an open name beside the one that is encrypted',
        () => ({ encryptsName: (it) => `${it}<saml:NameID>${world.olive.email}</saml:NameID>` }),
      ],
      ['with two names that are encrypted', () => ({ encryptsName: (it) => `${it}${it}` })],
      [
        'with a name that was encrypted for somebody else',
        () => ({ encryptsName: (it) => it.replace(/CipherValue>.{20}/, 'CipherValue>AAAAAAAAAAAAAAAAAAAA') }),
      ],
      ['with an encrypted name that is empty', () => ({ encryptsName: () => '<saml:EncryptedID/>' })],
      [
        'with an encrypted name for this time only',
        () => ({ encryptsName: true, ...values({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }) }),
      ],
      [
        'with a comment inside an encrypted assertion',
        () => ({
          encrypts: true,
          unsigned: (xml) => xml.replace('@roost.test</saml:NameID>', '<!-- -->@roost.test</saml:NameID>'),
        }),
      ],
      [
        'with a name that was changed after signing',
        () => ({ signed: (xml) => xml.replaceAll(world.max.email, world.olive.email) }),
      ],
      [
        'with an assertion before the signed one',
        () => ({ signed: (xml) => xml.replace('<saml:Assertion', `${evil(xml)}<saml:Assertion`) }),
      ],
      [
        'with an assertion after the signed one',
        () => ({ signed: (xml) => xml.replace('</samlp:Response>', `${evil(xml)}</samlp:Response>`) }),
      ],
      [
        'with the signed one inside another',
        () => ({
          signed: (xml) =>
            xml.replace(
              assertionOf(xml),
              evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
            ),
        }),
      ],
      [
        'with the signed one inside the signature of another',
        () => ({
          signed: (xml) => {
            const object = `<ds:Object>${assertionOf(xml).replace(signatureOf(xml), '')}</ds:Object></ds:Signature>`;
            const moved = signatureOf(xml).replace('</ds:Signature>', object);
            return xml.replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
          },
        }),
      ],
      [
        'with the signed one among extensions',
        () => ({
          signed: (xml) =>
            xml
              .replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`))
              .replace('<samlp:Status>', `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions><samlp:Status>`),
        }),
      ],
      [
        'with an answer around the answer',
        () => ({
          signed: (xml) =>
            `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_x">${evil(xml)}${xml}</samlp:Response>`,
        }),
      ],
      [
        'with a document type',
        () => ({
          signed: (xml) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.replace('Somebody', '&e;')}`,
        }),
      ],
      [
        'with entities that grow',
        () => ({ signed: (xml) => `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${xml}` }),
      ],
      [
        'with a comment inside a name, which no signature covers',
        () => ({ signed: (xml) => xml.replace('@roost.test</saml:NameID>', '<!-- -->@roost.test</saml:NameID>') }),
      ],
      [
        'with an instruction inside a name',
        () => ({ signed: (xml) => xml.replace('@roost.test</saml:NameID>', '<?x?>@roost.test</saml:NameID>') }),
      ],
      ['that is over', () => values({ until: at(-61) })],
      ['that is not good yet', () => values({ from: at(61) })],
      ['that was issued long ago', () => values({ now: at(-661) })],
      ['that was issued tomorrow', () => values({ now: at(86_400) })],
      ['that says no zone of its time', () => values({ now: at(0).replace('Z', '') })],
      ['whose bearer is late', () => values({ confirmedUntil: at(-61) })],
      [
        'whose bearer has no end',
        () => ({ unsigned: (xml) => xml.replace(/ NotOnOrAfter="[^"]*" Recipient/, ' Recipient') }),
      ],
      ['for another audience', () => values({ audience: `${other}/metadata` })],
      [
        'for everybody',
        () => ({ unsigned: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }),
      ],
      [
        'for us, and for others only',
        () => ({
          unsigned: (xml) =>
            xml.replace(
              '</saml:AudienceRestriction>',
              `</saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>${other}</saml:Audience></saml:AudienceRestriction>`,
            ),
        }),
      ],
      ['for another recipient', () => values({ recipient: other })],
      ['to another destination', () => values({ destination: other })],
      ['of another issuer', () => values({ issuer: other })],
      ['that a sender vouches for', () => values({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' })],
      ['that answers nothing', () => ({ unsigned: (xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '') })],
      ['that answers two requests', () => values({ request: '_another' })],
      ['that answers another request', () => values({ request: '_another', subjectRequest: '_another' })],
      [
        'with a name for this time only',
        () => values({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
      ],
      ['with nobody', () => values({ nameId: '' })],
      ['with a name that is too long', () => values({ nameId: 'x'.repeat(256) })],
      ['saying that it failed', () => values({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })],
      ['without an assertion', () => ({ signed: (xml) => xml.replace(assertionOf(xml), '') })],
      ['with something else', () => ({ signed: (xml) => assertionOf(xml) })],
      ['with half of it', () => ({ signed: (xml) => xml.slice(0, -100) })],
      ['with a weak digest', () => ({ signed: (xml) => xml.replace('xmlenc#sha256', 'xmldsig#sha1') })],
      [
        'with a secret as key',
        () => ({ signed: (xml) => xml.replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256') }),
      ],
      [
        'with more than anybody says',
        () => ({
          signed: (xml) =>
            xml.replace('<samlp:Status>', `<samlp:Extensions>${'x'.repeat(60_000)}</samlp:Extensions><samlp:Status>`),
        }),
      ],
    ];
    it.each(cases)('%s, and says so on one page', async (_what, lies) => {
      be(world.max, world.max.email);
      const before = await addresses();
      const { visitor, answer } = await signIn(lies());
      expect([403, 413]).toContain(answer.status);
      expect(await isIn(visitor)).toBe(false);
      expect(await addresses()).toEqual(before);
    });

    it.each([
      '',
      'x',
      '%%%',
      Buffer.from('<a>').toString('base64'),
      Buffer.from([255, 254]).toString('base64'),
      SEVERAL,
    ])('with what is no answer: %.20s', async (response) => {
      expect((await post(response)).status).toBe(403);
    });

    // The ground of all of these.
    it('but does so with the truth', async () => {
      be(world.max, world.max.email);
      expect(await isIn((await signIn()).visitor)).toBe(true);
    });
  });

  describe('an answer', () => {
    it('counts once, whoever brings it, and at no other provider', async () => {
      be(world.max);
      const { visitor, response, posted } = await signIn();
      expect(await isIn(visitor)).toBe(true);
      expect((await post(response)).status).toBe(403);
      expect((await visitor.get(posted.location ?? '')).status).toBe(400);
      const next = new Visitor(world.server);
      const fresh = await idp.answer((await next.get(BEGIN)).location);
      expect((await post(fresh, '/complete/whole/')).status).toBe(403);
      const done = await Promise.all([1, 2, 3].map(() => post(fresh)));
      expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 403, 403]);
    });

    it('is for the browser that asked: nobody signs another browser in as somebody else', async () => {
      be(world.max);
      const thief = new Visitor(world.server);
      const theirs = await post(await idp.answer((await thief.get(BEGIN)).location));
      const victim = new Visitor(world.server);
      expect((await victim.get(theirs.location ?? '')).status).toBe(400);
      await victim.get(BEGIN);
      expect((await victim.get(theirs.location ?? '')).status).toBe(403);
      expect(await isIn(victim)).toBe(false);
      // It is over for the thief, too.
      expect((await thief.get(theirs.location ?? '')).status).toBe(403);
    });

    it('waits a minute, and its request ten', async () => {
      be(world.max);
      const visitor = new Visitor(world.server);
      const posted = await post(await idp.answer((await visitor.get(BEGIN)).location));
      world.clock.advance(61_000);
      expect((await visitor.get(posted.location ?? '')).status).toBe(403);
      const slow = new Visitor(world.server);
      const { location } = await slow.get(BEGIN);
      world.clock.advance(601_000);
      const late = await post(await idp.answer(location));
      expect((await slow.get(late.location ?? '')).status).toBe(400);
    });

    it('confirms a session only if somebody has signed in there anew', async () => {
      be(world.max);
      const { visitor } = await signIn();
      const confirm = `${BEGIN}?confirm&next=/api/`;
      expect(samlRequestIn((await visitor.get(confirm)).location)).toContain('ForceAuthn="true"');
      const before = new Date((world.clock.now() - 300) * 1000).toISOString();
      const stale = { unsigned: (xml: string) => xml.replace(/AuthnInstant="[^"]*"/, `AuthnInstant="${before}"`) };
      expect((await signIn(stale, visitor, confirm)).answer.status).toBe(403);
      expect((await signIn({}, visitor, confirm)).answer.location).toBe('/api/');
    });
  });
});
