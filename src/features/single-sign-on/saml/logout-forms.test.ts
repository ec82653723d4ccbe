import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { signInFile } from '../../../../test/support/identity-provider.ts';
import * as certificates from '../../../../test/support/saml-certificates.ts';
import { SAML_SETTINGS, SAML_SIGN_OUT, SamlProvider, withoutName } from '../../../../test/support/saml-provider.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const LOGOUT = '/accounts/logout/saml/acme';
const SOAP = `${LOGOUT}/soap`;
const THERE = { destination: `http://localhost:9991${SOAP}` };
type Change = (xml: string) => string;

describe.each(databases)(
  'logging out by SAML without addresses, on %s (protocol/authentication#logging-out)',
  (database) => {
    let world: World;
    let idp: SamlProvider;
    beforeAll(async () => {
      const known = { ...SAML_SETTINGS, sign_out_url: SAML_SIGN_OUT };
      world = await openWorld(database, {
        mode: 'production',
        environment: signInFile({
          providers: [
            { ...known, id: 'acme', name: 'Acme', sign_out_binding: 'post' },
            { ...known, id: 'plain', name: 'Plain' },
            { ...known, id: 'mute', name: 'Mute', sign_out_url: undefined },
          ],
        }),
      });
      idp = await providerOf('acme');
    });
    afterAll(() => world.close());
    beforeEach(() => {
      idp.session = 'session-1';
      idp.person = { nameId: 'max-at-acme', email: [world.max.email] };
    });

    async function providerOf(id: string): Promise<SamlProvider> {
      const { text } = await new Visitor(world.server).get(`/complete/${id}/metadata.xml`);
      return new SamlProvider(text, () => world.clock.now());
    }
    async function logIn(): Promise<Visitor> {
      const visitor = new Visitor(world.server);
      const response = await idp.answer((await visitor.get('/accounts/login/social/acme/')).location);
      const posted = await new Visitor(world.server).post('/complete/acme/', { SAMLResponse: response });
      expect((await visitor.get(posted.location ?? '')).status).toBe(303);
      return visitor;
    }
    const isIn = async (visitor: Visitor) => (await visitor.get('/')).text.includes(world.max.email);
    /** The form of the provider's page, or one that the provider sends itself: no cookies of ours come along. */
    const send = (fields: Record<string, string>, path = LOGOUT) => new Visitor(world.server).post(path, fields);
    const tell = (message: string, path = LOGOUT) => send({ SAMLRequest: message }, path);
    async function tellItself(body: string, path = SOAP) {
      const headers = { 'content-type': 'text/xml', soapaction: 'http://www.oasis-open.org/committees/security' };
      const answer = await world.server.listener.inject({ method: 'POST', url: path, headers, payload: body });
      return { status: answer.statusCode, text: answer.body, type: answer.headers['content-type'] };
    }
    const enveloped = (message: string) =>
      `<?xml version="1.0" encoding="UTF-8"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Header/><S:Body>${Buffer.from(message, 'base64').toString()}</S:Body></S:Envelope>`;
    const fieldsOf = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      ) as Record<string, string>;

    it('says all three ways in our metadata', async () => {
      const { text } = await new Visitor(world.server).get('/complete/acme/metadata.xml');
      const services = [...text.matchAll(/<SingleLogoutService Binding="[^"]*:([\w-]+)" Location="([^"]+)"/g)];
      expect(services.map(([, binding, location]) => [binding, location])).toEqual([
        ['HTTP-Redirect', `http://localhost:9991${LOGOUT}`],
        ['HTTP-POST', `http://localhost:9991${LOGOUT}`],
        ['SOAP', `http://localhost:9991${SOAP}`],
      ]);
    });

    it('asks the provider by a form that is signed inside, which a person sends', async () => {
      const visitor = await logIn();
      await visitor.get('/logout/');
      const page = await visitor.post('/logout/', {});
      expect(await isIn(visitor)).toBe(false);
      expect(page.text).toContain(`<form method="post" action="${SAML_SIGN_OUT}">`);
      expect(page.headers['content-security-policy']).toContain('form-action *');
      const fields = fieldsOf(page.text);
      // Nothing of ours goes there but the message.
      expect(Object.keys(fields)).toEqual(['SAMLRequest']);
      const asked = await idp.readLogoutForm(fields);
      expect(asked).toMatchObject({ nameID: 'max-at-acme', sessionIndex: 'session-1' });
      expect(asked.request?.destination).toBe(SAML_SIGN_OUT);
      const changed = Buffer.from(fields['SAMLRequest'] ?? '', 'base64')
        .toString()
        .replace('max-at', 'mia-at');
      await expect(idp.readLogoutForm({ SAMLRequest: Buffer.from(changed).toString('base64') })).rejects.toThrow();
      expect(await send({ SAMLResponse: idp.logoutForm({ kind: 'SAMLResponse' }) })).toMatchObject({
        location: '/login/',
      });
      const partly = { kind: 'SAMLResponse', status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' };
      expect((await send({ SAMLResponse: idp.logoutForm(partly) })).status).toBe(403);
    });

    it('ends the sessions that a form names, and answers by one that the script of the page sends on', async () => {
      const first = await logIn();
      idp.session = 'session-2';
      const second = await logIn();
      const queue = await world.max.register();
      const sessions = '<samlp:SessionIndex>session-1</samlp:SessionIndex>';
      const told = await send({ SAMLRequest: idp.logoutForm({ sessions, id: '_r1' }), RelayState: 'a "b"&c' });
      expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
      await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
      expect(told.text).toContain(`action="${SAML_SIGN_OUT}" data-carries-on`);
      const fields = fieldsOf(told.text);
      expect(fields['RelayState']).toBe('a &quot;b&quot;&amp;c');
      const said = await idp.readLogoutForm({ SAMLResponse: fields['SAMLResponse'] ?? '' });
      expect(said.response).toMatchObject({ inResponseTo: '_r1', destination: SAML_SIGN_OUT });
      // A provider that asks by a form may want its answer in an address.
      const plain = await providerOf('plain');
      const byAddress = await tell(plain.logoutForm({ id: '_r2' }), '/accounts/logout/saml/plain');
      expect((await plain.readLogout(byAddress.location ?? '')).response).toMatchObject({ inResponseTo: '_r2' });
    });

    it('ends the sessions that a provider names itself, and answers in an envelope', async () => {
      const visitor = await logIn();
      const told = await tellItself(enveloped(idp.logoutForm({ ...THERE, id: '_r3' })));
      expect([told.status, told.type]).toEqual([200, 'text/xml; charset=utf-8']);
      expect(await isIn(visitor)).toBe(false);
      const inside = /<soap:Body>([\s\S]*)<\/soap:Body>/.exec(told.text)?.[1] ?? '';
      const said = await idp.readLogoutForm({ SAMLResponse: Buffer.from(inside).toString('base64') });
      expect(said.response).toMatchObject({ inResponseTo: '_r3' });
    });

    it('finds the person that a request names by an encrypted name, by each of the ways', async () => {
      const hidden = async (lies: Record<string, string> = {}) => {
        let open = '';
        idp.logoutForm(lies, (xml) => (open = xml));
        const xml = await withoutName(open);
        expect(xml).not.toContain('max-at-acme');
        return () => xml;
      };
      const [form, soap, query] = [await hidden(), await hidden(THERE), await hidden()];
      const ways = [
        () => tell(idp.logoutForm({}, form)),
        () => tellItself(enveloped(idp.logoutForm({}, soap))),
        () => new Visitor(world.server).get(`${LOGOUT}?${idp.logoutQuery({}, query)}`),
      ];
      for (const way of ways) {
        const visitor = await logIn();
        expect((await way()).status).toBe(200);
        expect(await isIn(visitor)).toBe(false);
      }
    });

    const at = (seconds: number) => new Date((world.clock.now() + seconds) * 1000).toISOString();
    const afterSigning = (message: string, change: Change) =>
      Buffer.from(change(Buffer.from(message, 'base64').toString())).toString('base64');
    const signatureOf = (xml: string) => /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? '';
    const bodyOf = (xml: string) => xml.replace(signatureOf(xml), '');
    const make =
      (lies: Record<string, string> = {}, change?: Change) =>
      (there: object) =>
        idp.logoutForm({ ...there, ...lies }, change);
    const makeAndChange = (change: Change) => (there: object) => afterSigning(idp.logoutForm({ ...there }), change);
    const evil = (xml: string) =>
      bodyOf(xml)
        .replace('max-at-acme', 'somebody')
        .replace(/ ID="[^"]*"/, ' ID="_evil"');
    const cases: [string, (there: object) => string][] = [
      ['without a signature', makeAndChange(bodyOf)],
      ['with the key of somebody else', make({ key: certificates.SAML_OTHER_KEY })],
      [
        'with the key of somebody else, and their certificate',
        make({ key: certificates.SAML_OTHER_KEY, certificate: certificates.SAML_OTHER_CERTIFICATE }),
      ],
      ['with a name that was changed after signing', makeAndChange((xml) => xml.replace('max-at', 'mia-at'))],
      ['with a weak digest', makeAndChange((xml) => xml.replace('xmlenc#sha256', 'xmldsig#sha1'))],
      ['with a secret as key', makeAndChange((xml) => xml.replace('more#rsa-sha256', 'more#hmac-sha256'))],
      [
        'with the signed one inside another',
        makeAndChange((xml) => evil(xml).replace('</samlp:LogoutRequest>', `${xml}</samlp:LogoutRequest>`)),
      ],
      [
        'with the signed one among extensions, and its signature outside',
        makeAndChange((xml) =>
          evil(xml).replace(
            '<saml:NameID>',
            `${signatureOf(xml)}<samlp:Extensions>${bodyOf(xml)}</samlp:Extensions><saml:NameID>`,
          ),
        ),
      ],
      [
        'with the signed one inside the signature',
        makeAndChange((xml) => {
          const object = `<ds:Object>${bodyOf(xml)}</ds:Object></ds:Signature>`;
          return evil(xml).replace(
            '<saml:NameID>',
            `${signatureOf(xml).replace('</ds:Signature>', object)}<saml:NameID>`,
          );
        }),
      ],
      ['with two signatures', makeAndChange((xml) => xml.replace(signatureOf(xml), signatureOf(xml).repeat(2)))],
      [
        'with a second name that nobody signed',
        makeAndChange((xml) => xml.replace('<saml:NameID>', '<saml:NameID>x</saml:NameID><saml:NameID>')),
      ],
      ['of another issuer', make({ issuer: 'https://other.example' })],
      ['for another address', make({ destination: 'http://localhost:9991/accounts/logout/saml/plain' })],
      ['for no address', make({}, (xml) => xml.replace(/ Destination="[^"]*"/, ''))],
      ['of long ago', (there) => make({ now: at(-601) })(there)],
      ['of tomorrow', (there) => make({ now: at(86_400) })(there)],
      ['that is over', (there) => make({ until: at(-61) })(there)],
      ['without an ID', make({ id: '' })],
      ['about nobody', make({ nameId: '' })],
      ['about two people', make({ sessions: '<saml:NameID>x</saml:NameID>' })],
      [
        'with an encrypted name that is none',
        make({}, (xml) => xml.replace(/<saml:NameID>.*<\/saml:NameID>/, '<saml:EncryptedID/>')),
      ],
      ['with a document type', makeAndChange((xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`)],
      ['with a comment in a name', makeAndChange((xml) => xml.replace('max-at', 'max<!-- -->-at'))],
      ['of another kind', make({ kind: 'SAMLResponse' })],
      ['that is none', () => Buffer.from('<a/>').toString('base64')],
      ['that is empty', () => ''],
      ['that is too long', make({ sessions: ' '.repeat(60_000) })],
    ];
    it.each(cases)('refuses a request %s, and nobody is logged out', async (_what, made) => {
      const visitor = await logIn();
      expect([400, 413]).toContain((await tell(made({}))).status);
      expect([403, 413]).toContain((await tellItself(enveloped(made(THERE)))).status);
      expect(await isIn(visitor)).toBe(true);
    });

    it('takes a request once, by whichever way, and one message at a time', async () => {
      const message = idp.logoutForm();
      const told = await Promise.all([tell(message), tell(message)]);
      expect(told.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      const visitor = await logIn();
      expect((await tell(message)).status).toBe(400);
      expect((await send({ SAMLRequest: idp.logoutForm(), SAMLResponse: 'x' })).status).toBe(400);
      const inside = enveloped(idp.logoutForm(THERE));
      const twice = inside.replace(/<S:Body>([\s\S]*)<\/S:Body>/, '<S:Body>$1$1</S:Body>');
      expect((await tellItself(twice)).status).toBe(403);
      expect((await tellItself(Buffer.from(idp.logoutForm(THERE), 'base64').toString())).status).toBe(403);
      expect(await isIn(visitor)).toBe(true);
      expect((await tellItself(inside)).status).toBe(200);
      expect((await tellItself(inside)).status).toBe(403);
    });

    it('is not there for providers without an address for it, and for none', async () => {
      const paths = ['mute', 'nobody'].map((id) => `/accounts/logout/saml/${id}`);
      for (const path of paths) {
        expect((await tell(idp.logoutForm(), path)).status).toBe(404);
        expect((await tellItself(enveloped(idp.logoutForm(THERE)), `${path}/soap`)).status).toBe(404);
      }
    });
  },
);
