import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { firstOrganizationLink } from '#features/organizations';
import { openServer, type Server } from '../../src/server.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { Client } from '../support/client.ts';
import { writtenMails } from '../support/mails.ts';

const PASSWORD = 'wide open sky';

describe.skipIf(!hasBrowser()).each(databases)('the way in, in a browser, on %s', (database) => {
  let place: TestDatabase;
  let server: Server;
  let origin: string;
  let olive: Browser;
  let nina: Browser;
  const logged: string[] = [];

  beforeAll(async () => {
    place = await makeDatabase(database);
    const config = readConfig({
      ROOST_DATA_DIR: place.dataDir,
      ROOST_PORT: '0',
      ROOST_EXTERNAL_URL: 'http://localhost:9991',
      ...(place.databaseUrl !== undefined && { ROOST_DATABASE_URL: place.databaseUrl }),
    });
    const log = openLog('debug', { write: (line: string) => logged.push(line) });
    server = await openServer({ config, clock: new TestClock(), log, strict: true });
    origin = `http://127.0.0.1:${await server.start()}`;
    [olive, nina] = await Promise.all([openBrowser(), openBrowser({ colorScheme: 'dark' })]);
  });
  afterAll(async () => {
    await Promise.all([olive.close(), nina.close()]);
    await server.stop();
    await place.remove();
  });

  const here = (url: string) => `${origin}${new URL(url).pathname}`;
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  async function linkInMail(pattern: RegExp): Promise<string> {
    await server.context.jobs.idle();
    return pattern.exec(writtenMails(place.dataDir).join('\n'))?.[0] ?? '';
  }

  /** What is said beside a field that was refused. */
  const faultOf = (page: Page, label: string) =>
    page
      .locator('.field', { has: page.getByLabel(label).and(page.locator('[aria-invalid]')) })
      .getByRole('alert')
      .textContent();

  it('goes from nothing to a second person who is logged in', async () => {
    const link = await firstOrganizationLink(server.context);
    const page = await olive.context.newPage();
    await page.goto(here(link ?? ''));
    expect(await heading(page)).toBe('Create your organization');
    await page.getByLabel('Name of the organization').fill('Bird <Watchers>');
    await page.getByLabel('Your name').fill('Olive Owner');
    await page.getByLabel('Your email address').fill('olive@roost.test');
    await page.getByLabel('Password').fill('password');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await faultOf(page, 'Password')).toBe('The password is too weak.');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Olive Owner');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await heading(page)).toBe('Bird <Watchers> is ready');
    expect(new URL(page.url()).pathname).toBe('/welcome/');
    await page.getByRole('button', { name: 'Create a link' }).press('Enter');
    const colleagues = here(await page.getByLabel('Link to share').inputValue());
    await page.getByRole('link', { name: 'Open the client' }).click();
    expect(await heading(page)).toBe('Hello, Olive Owner');
    expect(await page.locator('header b').textContent()).toBe('Bird <Watchers>');
    expect(await firstOrganizationLink(server.context)).toBeUndefined();
    await page.goto(here(link ?? ''));
    expect(await heading(page)).toBe('This link is no longer valid');

    const { body } = await new Client(server).request('POST', '/fetch_api_key', {
      username: 'olive@roost.test',
      password: PASSWORD,
    });
    const client = new Client(server, { email: body['email'], api_key: body['api_key'], user_id: body['user_id'] });
    await client.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const invitation = await linkInMail(/http:\S+do_confirm\/[a-z2-7]{24}/);

    const guest = await nina.context.newPage();
    await guest.goto(here(invitation));
    expect(await guest.getByLabel('Email address').inputValue()).toBe('nina@roost.test');
    await guest.getByLabel('Your name').fill('Nina*');
    await guest.getByLabel('Password').fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join' }).click();
    expect(await faultOf(guest, 'Your name')).toBe('Invalid characters in name!');
    await guest.getByLabel('Your name').fill('Nina New');
    await guest.getByLabel('Password').fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join' }).click();
    expect(await heading(guest)).toBe('Hello, Nina New');
    await guest.goto(here(invitation));
    expect(await heading(guest)).toBe('This link is no longer valid');
    const other = await nina.context.newPage();
    await other.goto(colleagues);
    await other.getByLabel('Your name').fill('Mia Member');
    await other.getByLabel('Email address').fill('mia@roost.test');
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Join' }).click();
    expect(await heading(other)).toBe('Hello, Mia Member');
    await other.close();
    await guest.goto(`${origin}/login/`);
    const { members } = await client.get('/users');
    const names = members.map((user: { full_name: string }) => user.full_name);
    expect(names).toEqual(['Olive Owner', 'Nina New', 'Mia Member']);
  });

  it('lets people out, in again, and choose a new password by mail', async () => {
    const page = await nina.context.newPage();
    await page.goto(`${origin}/`);
    await page.getByRole('link', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await heading(page)).toBe('Log in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email address').fill('nina@roost.test');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    expect(await heading(page)).toBe('Check your email');
    const link = await linkInMail(/http:\S+password\/reset\/[A-Za-z0-9]{40}/);
    await page.goto(here(link));
    await page.getByLabel('Password').fill('another fine day');
    await page.getByRole('button', { name: 'Change the password' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Your password has been changed.');
    await page.getByLabel('Email address').fill('nina@roost.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Your username or password is incorrect');
    await page.getByLabel('Password').fill('another fine day');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    expect(await heading(page)).toBe('Hello, Nina New');
    // The browser that has used the link is told so; in another one it is over.
    await page.goto(here(link));
    expect(await heading(page)).toBe('Your password has been changed');
    const elsewhere = await olive.context.newPage();
    await elsewhere.goto(here(link));
    expect(await heading(elsewhere)).toBe('This link is no longer valid');
    await elsewhere.close();
  });

  it('shows people where they are logged in, and logs them out elsewhere', async () => {
    const elsewhere = await olive.context.newPage();
    await elsewhere.goto(`${origin}/logout/`);
    await elsewhere.getByRole('button', { name: 'Log out' }).click();
    await elsewhere.getByLabel('Email address').fill('nina@roost.test');
    await elsewhere.getByLabel('Password').fill('another fine day');
    await elsewhere.getByRole('button', { name: 'Log in', exact: true }).click();
    expect(await heading(elsewhere)).toBe('Hello, Nina New');
    const page = await nina.context.newPage();
    await page.goto(`${origin}/`);
    await page.getByRole('link', { name: 'Where you are logged in' }).click();
    expect(await heading(page)).toBe('Where you are logged in');
    expect(await page.getByRole('listitem').count()).toBe(2);
    expect(await page.getByRole('listitem').first().textContent()).toMatch(/^Chrome on Linux\s*this browser/);
    const button = page.getByRole('button', {
      name: /^Log out: Chrome on Linux, last used \d+ \w+ \d+ at [\d:]+ UTC$/,
    });
    expect(await button.textContent()).toBe('Log out');
    await button.press('Enter');
    expect(await page.getByRole('status').textContent()).toBe('Logged out.');
    expect(await page.getByRole('listitem').count()).toBe(1);
    await elsewhere.goto(`${origin}/accounts/sessions/`);
    expect(await heading(elsewhere)).toBe('Log in');
  });

  it('shows light and dark, and names every field (accessible)', async () => {
    const ground = async (browser: Browser) => {
      const page = await browser.context.newPage();
      await page.goto(`${origin}/accounts/password/reset/`);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.getByRole('textbox', { name: 'Email address' }).count()).toBe(1);
      const color = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [, lightness] = /^oklch\(([\d.]+) /.exec(color) ?? [];
      return Number(lightness);
    };
    expect(await ground(olive)).toBeGreaterThan(0.9);
    expect(await ground(nina)).toBeLessThan(0.3);
  });

  it('keeps addresses, passwords and tokens out of the log (style 9)', async () => {
    const mails = writtenMails(place.dataDir).join('\n');
    const tokens = [...mails.matchAll(/(?:do_confirm|reset)\/(\w{24,40})/g)].map((match) => match[1] ?? '');
    expect(tokens.length).toBeGreaterThan(1);
    const log = logged.join('');
    expect(log).toContain('a mail was written');
    for (const secret of [...tokens, PASSWORD, 'nina@roost.test', 'olive@roost.test'])
      expect(log).not.toContain(secret);
  });
});
