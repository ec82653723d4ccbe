import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';
import { signInFile } from '../support/identity-provider.ts';
import * as certificates from '../support/saml-certificates.ts';
import { SAML_ISSUER, SAML_SIGN_IN, SAML_SIGN_OUT, SamlProvider } from '../support/saml-provider.ts';

const PROVIDER = '**://idp.acme.example/**';

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('logging out by forms between a SAML provider and us', () => {
  let demo: DemoPages;
  let browser: Browser;
  let idp: SamlProvider;
  beforeAll(async () => {
    const acme = {
      kind: 'saml',
      id: 'acme',
      name: 'Acme',
      issuer: SAML_ISSUER,
      sign_in_url: SAML_SIGN_IN,
      sign_out_url: SAML_SIGN_OUT,
      sign_out_binding: 'post',
      certificates: [certificates.SAML_PROVIDER_CERTIFICATE],
      private_key: certificates.SAML_SERVER_KEY,
      certificate: certificates.SAML_SERVER_CERTIFICATE,
    };
    demo = await DemoPages.open('sqlite', signInFile({ providers: [acme] }));
    const metadata = await (await fetch(`${demo.server.url}/complete/acme/metadata.xml`)).text();
    idp = new SamlProvider(metadata, () => Math.floor(Date.now() / 1000));
    browser = await openBrowser({ javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  it('goes there and back without anybody pressing a button, and within the policy of our pages', async () => {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('console', (line) =>
      complaints.push(...(/Content Security Policy/.test(line.text()) ? [line.text()] : [])),
    );
    const form = `<form method="post" action="${demo.server.url}/accounts/logout/saml/acme"><input name="SAMLRequest" value="${idp.logoutForm({ id: '_r1' })}"><input name="RelayState" value="a &quot;b&quot;"><button>Log out everywhere</button></form>`;
    const said: URLSearchParams[] = [];
    await page.route(PROVIDER, async (route) => {
      const sent = route.request().postData();
      if (sent !== null) said.push(new URLSearchParams(sent));
      await route.fulfill({ contentType: 'text/html', body: sent === null ? form : 'all done' });
    });
    await page.goto('http://idp.acme.example/logging-out');
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByText('all done').waitFor();
    expect(complaints).toEqual([]);
    expect(said.map((fields) => [...fields.keys()])).toEqual([['SAMLResponse', 'RelayState']]);
    expect(said[0]?.get('RelayState')).toBe('a "b"');
    const answer = await idp.readLogoutForm({ SAMLResponse: said[0]?.get('SAMLResponse') ?? '' });
    expect(answer.response).toMatchObject({ inResponseTo: '_r1', destination: SAML_SIGN_OUT });
  });
});
