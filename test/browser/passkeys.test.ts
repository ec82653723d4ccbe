import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, type ServerProcess, startProcess } from '../support/process.ts';

const ADDRESS = 'member@roost.test';
const PASSWORD = 'roost-demo-password';

// One database: what differs between them lies below the pages, and has its tests there.
describe.skipIf(!hasBrowser())('passkeys in a browser (protocol/authentication#passkeys)', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;
  let origin: string;

  beforeAll(async () => {
    database = await makeDatabase('sqlite');
    const port = await freePort();
    origin = `http://localhost:${port}`;
    server = await startProcess(database, port, { ROOST_EXTERNAL_URL: origin });
    browser = await openBrowser({ javaScriptEnabled: true });
    page = await browser.context.newPage();
    devtools = await browser.context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
  });
  afterAll(async () => {
    await browser.close();
    await server.kill('SIGKILL');
    await database.remove();
  });

  /** Plugs an authenticator in: one of the device, which knows its owner, or a plain security key. */
  async function plug(transport: 'internal' | 'usb'): Promise<string> {
    const isOfDevice = transport === 'internal';
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: isOfDevice,
        hasUserVerification: isOfDevice,
        isUserVerified: isOfDevice,
        automaticPresenceSimulation: true,
      },
    });
    return authenticatorId;
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const client = () => page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  async function logIn(): Promise<void> {
    await page.getByLabel('Email address').fill(ADDRESS);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Log in');
  }
  async function logOut(): Promise<void> {
    await page.goto(`${origin}/logout/`);
    await press('Log out');
    await heading('Log in');
  }

  it('are made from the settings of the client, and log in from then on', async () => {
    const device = await plug('internal');
    await page.goto(`${origin}/login/`);
    await logIn();
    await client();
    await page.goto(`${origin}/#settings/account-and-privacy`);
    await page.getByRole('link', { name: 'Manage passkeys' }).click();
    await heading('Passkeys');
    await press('Add a passkey');
    await page.getByLabel('Your password').fill(PASSWORD);
    await press('Continue');
    await page.getByLabel('Name').fill('This laptop');
    await press('Make a passkey');
    await heading('Your recovery codes');
    expect(await page.getByRole('listitem').count()).toBe(10);
    await page.getByRole('link', { name: 'I have saved them' }).click();
    expect(await page.getByRole('listitem').textContent()).toContain('This laptop');

    await logOut();
    await press('Log in with a passkey');
    await client();
    await logOut();
    await logIn();
    await heading('Your second factor');
    await press('Use a passkey');
    await client();

    await logOut();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: false });
    await press('Log in with a passkey');
    await page.getByRole('alert').filter({ hasText: 'That did not work.' }).waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: true });
    await press('Log in with a passkey');
    await client();
  });

  it('are of several devices, a plain security key among them, and go one by one', async () => {
    await page.goto(`${origin}/accounts/passkeys/`);
    await press('Add a passkey');
    await press('Use a passkey');
    await page.getByLabel('Name').fill('Blue key');
    await press('Make a passkey');
    // This device has one; nobody gets a second for the same account.
    await page.getByRole('alert').filter({ hasText: 'has a passkey of yours already' }).waitFor();
    await plug('usb');
    await press('Make a passkey');
    await page.getByRole('status').filter({ hasText: 'Added.' }).waitFor();
    expect(await page.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/^This laptop\s*Last used \d/),
      expect.stringMatching(/^Blue key\s*Not used yet/),
    ]);
    await press('Remove This laptop');
    await press('Use a passkey');
    await page.getByRole('status').filter({ hasText: 'Removed.' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
    await logOut();
    await logIn();
    await press('Use a passkey');
    await client();
  });
});
