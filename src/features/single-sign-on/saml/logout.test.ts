import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { signInFile } from '../../../../test/support/identity-provider.ts';
import * as certificates from '../../../../test/support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SETTINGS, SAML_SIGN_OUT, SamlProvider } from '../../../../test/support/saml-provider.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const LOGOUT = '/accounts/logout/saml/acme';
const sessionOf = (...names: string[]) =>
  names.map((name) => `<samlp:SessionIndex>${name}</samlp:SessionIndex>`).join('');

describe.each(databases)('logging out by SAML, on %s (protocol/authentication#logging-out)', (database) => {
  let world: World;
  let idp: SamlProvider;
  beforeAll(async () => {
    const groups = { gardeners: ['garden', 'orchard'] };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...SAML_SETTINGS, id: 'acme', name: 'Acme', sign_out_url: SAML_SIGN_OUT, groups },
          { ...SAML_SETTINGS, id: 'other', name: 'Other', sign_out_url: SAML_SIGN_OUT },
          { ...SAML_SETTINGS, id: 'mute', name: 'Mute' },
        ],
      }),
    });
    const { text } = await new Visitor(world.server).get('/complete/acme/metadata.xml');
    idp = new SamlProvider(text, () => world.clock.now());
  });
  afterAll(() => world.close());
  beforeEach(() => {
    idp.session = 'session-1';
    idp.person = { nameId: 'max-at-acme', email: [world.max.email] };
  });

  async function logIn(id = 'acme', visitor = new Visitor(world.server)): Promise<Visitor> {
    const { text } = await new Visitor(world.server).get(`/complete/${id}/metadata.xml`);
    const provider = id === 'acme' ? idp : new SamlProvider(text, () => world.clock.now());
    provider.person = idp.person;
    const response = await provider.answer((await visitor.get(`/accounts/login/social/${id}/`)).location);
    const posted = await new Visitor(world.server).post(`/complete/${id}/`, { SAMLResponse: response });
    expect((await visitor.get(posted.location ?? '')).status).toBe(303);
    return visitor;
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).text.includes(world.max.email);
  /** What the provider's page sends a browser to us with; not necessarily the browser that is logged in. */
  const tell = (query: string, path = LOGOUT) => new Visitor(world.server).get(`${path}?${query}`);

  it('asks the provider by a signed request that names the person and the session there', async () => {
    const visitor = await logIn();
    await visitor.get('/logout/');
    const page = await visitor.post('/logout/', {});
    expect(await isIn(visitor)).toBe(false);
    const href = /href="(https:[^"]*\/slo\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const asked = await idp.readLogout(href);
    expect(asked).toMatchObject({ issuer: expect.stringContaining('/complete/acme/metadata.xml') });
    expect(asked).toMatchObject({ nameID: 'max-at-acme', sessionIndex: 'session-1' });
    expect(asked.request?.destination).toBe(SAML_SIGN_OUT);
    await expect(idp.readLogout(href.replace(/Signature=../, 'Signature=AA'))).rejects.toThrow();
    // Its answer leads back to the log-in page, and changes nothing.
    const answer = idp.logoutQuery({ kind: 'SAMLResponse' });
    expect(await tell(answer)).toMatchObject({ status: 303, location: '/login/' });
    const partly = idp.logoutQuery({ kind: 'SAMLResponse', status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' });
    expect((await tell(partly)).status).toBe(403);
  });

  it('says nothing there where the provider has no address for it', async () => {
    const visitor = await logIn('mute');
    await visitor.get('/logout/');
    expect(await visitor.post('/logout/', {})).toMatchObject({ status: 303, location: '/login/' });
    expect((await tell(idp.logoutQuery(), '/accounts/logout/saml/mute')).status).toBe(404);
    expect((await tell(idp.logoutQuery(), '/accounts/logout/saml/nobody')).status).toBe(404);
    const { text } = await visitor.get('/complete/mute/metadata.xml');
    expect(text).not.toContain('SingleLogoutService');
  });

  it('ends the sessions that the provider names, their event queues, and no others, and answers it', async () => {
    const first = await logIn();
    idp.session = 'session-2';
    const second = await logIn();
    const byOther = await logIn('other');
    const queue = await world.max.register();
    const told = await tell(
      idp.logoutQuery({ sessions: sessionOf('session-0', 'session-1'), relayState: 'a b&c', id: '_r1' }),
    );
    expect(told.status).toBe(303);
    expect([await isIn(first), await isIn(second), await isIn(byOther)]).toEqual([false, true, true]);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    expect(new URL(told.location ?? '').searchParams.get('RelayState')).toBe('a b&c');
    const said = await idp.readLogout(told.location ?? '');
    expect(said.response).toMatchObject({ inResponseTo: '_r1', destination: SAML_SIGN_OUT });
    // Without a session, all that began by this provider.
    expect((await tell(idp.logoutQuery())).status).toBe(303);
    expect([await isIn(second), await isIn(byOther)]).toEqual([false, true]);
    // Nobody's session is no fault.
    expect((await tell(idp.logoutQuery({ nameId: 'stranger' }))).status).toBe(303);
  });

  const at = (seconds: number) => new Date((world.clock.now() + seconds) * 1000).toISOString();
  it.each<[string, () => string]>([
    ['without a signature', () => idp.logoutQuery().replace(/&SigAlg=.*$/, '')],
    ['without a signature that says how it is signed', () => idp.logoutQuery().replace(/&Signature=.*$/, '')],
    ['with the key of somebody else', () => idp.logoutQuery({ key: certificates.SAML_OTHER_KEY })],
    ['with a weak signature', () => idp.logoutQuery({ algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })],
    [
      'with another message before the signed one',
      () => `${idp.logoutQuery({ nameId: 'x' }).split('&')[0]}&${idp.logoutQuery()}`,
    ],
    [
      'with another message after the signed one',
      () => `${idp.logoutQuery()}&${idp.logoutQuery({ nameId: 'x' }).split('&')[0]}`,
    ],
    ['with an answer beside it', () => `${idp.logoutQuery()}&SAMLResponse=x`],
    [
      'with a signature over another message',
      () => idp.logoutQuery().replace(/SAMLRequest=[^&]*/, idp.logoutQuery({ nameId: 'x' }).split('&')[0] ?? ''),
    ],
    ['with state that no signature covers', () => idp.logoutQuery().replace('&SigAlg', '&RelayState=x&SigAlg')],
    ['of another issuer', () => idp.logoutQuery({ issuer: 'https://other.example' })],
    [
      'of two issuers',
      () =>
        idp.logoutQuery({}, (xml) =>
          xml.replace('<saml:NameID>', `<saml:Issuer>${SAML_ISSUER}</saml:Issuer><saml:NameID>`),
        ),
    ],
    ['for another address', () => idp.logoutQuery({ destination: 'http://localhost:9991/accounts/logout/saml/other' })],
    ['for no address', () => idp.logoutQuery({}, (xml) => xml.replace(/ Destination="[^"]*"/, ''))],
    ['of long ago', () => idp.logoutQuery({ now: at(-601) })],
    ['of tomorrow', () => idp.logoutQuery({ now: at(86_400) })],
    ['without a time', () => idp.logoutQuery({}, (xml) => xml.replace(/ IssueInstant="[^"]*"/, ''))],
    ['that is over', () => idp.logoutQuery({ until: at(-61) })],
    ['without a name', () => idp.logoutQuery({ id: '' })],
    ['about nobody', () => idp.logoutQuery({ nameId: '' })],
    ['about two people', () => idp.logoutQuery({ sessions: '<saml:NameID>x</saml:NameID>' })],
    ['with a document type', () => idp.logoutQuery({}, (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`)],
    ['with a comment in a name', () => idp.logoutQuery({}, (xml) => xml.replace('max-at', 'max<!-- -->-at'))],
    ['of another kind', () => idp.logoutQuery({}, (xml) => xml.replaceAll('LogoutRequest', 'AuthnRequest'))],
    ['that is none', () => 'SAMLRequest=x&SigAlg=y&Signature=z'],
    ['that is empty', () => ''],
    ['that unpacks to a gigabyte, so to say', () => idp.logoutQuery({ sessions: ' '.repeat(1_000_000) })],
    [
      'that is too long',
      () => `${idp.logoutQuery()}&x=${'x'.repeat(10)}`.replace(/SAMLRequest=/, `SAMLRequest=${'A'.repeat(16_001)}`),
    ],
  ])('refuses a request %s, and nobody is logged out', async (_what, make) => {
    const visitor = await logIn();
    expect((await tell(make())).status).toBe(400);
    expect(await isIn(visitor)).toBe(true);
  });

  it('takes a request once, also when it comes twice at once', async () => {
    const query = idp.logoutQuery();
    const told = await Promise.all([tell(query), tell(query)]);
    expect(told.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
    const visitor = await logIn();
    expect((await tell(query)).status).toBe(400);
    expect(await isIn(visitor)).toBe(true);
  });

  it('puts people into groups by the attribute, takes them out again, and asks for their picture', async () => {
    await world.olive.post('/user_groups/create', { name: 'gardeners', description: '', members: [world.mia.userId] });
    const members = async () => {
      const { user_groups } = await world.olive.get('/user_groups');
      return user_groups.find(({ name }: { name: string }) => name === 'gardeners').members;
    };
    idp.person = { ...idp.person, groups: ['kitchen', 'orchard'], picture: ['https://pictures.example/max.png'] };
    await logIn();
    expect(new Set(await members())).toEqual(new Set([world.max.userId, world.mia.userId]));
    const jobs = await world.server.context.store.read((tx) =>
      tx.db.selectFrom('job').select('payload').where('kind', '=', 'provider-picture').execute(),
    );
    expect(jobs.map(({ payload }) => JSON.parse(payload))).toEqual([
      { user_id: world.max.userId, url: 'https://pictures.example/max.png' },
    ]);
    idp.person = { ...idp.person, groups: ['kitchen'] };
    await logIn();
    expect(await members()).toEqual([world.mia.userId]);
  });
});
