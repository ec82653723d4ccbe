// Takes pictures of the pages that the server itself renders (logging in, the account, what was not found), each light and dark, in
// a desktop's and a phone's width, and prints what is wider than its window: `npx tsx --conditions=source tools/page-pictures.ts
// FOLDER [--language=de]`, after `npm run build`. Needs Debian's Chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { wordsFor } from '../src/features/pages/index.ts';
import { inspect } from '../test/support/accessibility.ts';
import { codeOf } from '../test/support/authenticator.ts';
import { openBrowser } from '../test/support/browser.ts';
import { DemoPages } from '../test/support/demo-pages.ts';
import { openFounding } from '../test/support/founding.ts';
import { signInFile } from '../test/support/identity-provider.ts';
import { writtenMails } from '../test/support/mails.ts';

const PASSWORD = 'roost-demo-password';
const KNOWN = { client_id: 'roost', client_secret: 'a secret' };
const PROVIDERS = [
  { ...KNOWN, kind: 'openid', id: 'okta', name: 'Okta', issuer: 'http://127.0.0.1:9' },
  { ...KNOWN, kind: 'github', id: 'hub', name: 'GitHub' },
];
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' } },
});
const folder = positionals[0] ?? 'page-pictures';
mkdirSync(folder, { recursive: true });
const locale = values.language === 'de' ? 'de-DE' : 'en-GB';
/** The texts of pages in the language of the pictures. */
const { t } = wordsFor({ actor: null, headers: { 'accept-language': locale }, realm: undefined });

/** Takes one picture of a page in its four variants. */
async function take(page: Page, name: string): Promise<void> {
  const looks: Buffer[] = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const size of [DESK, PHONE]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await page.waitForTimeout(250);
      const wide: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (wide > 0) process.stdout.write(`${name} ${colorScheme} ${size.width}: ${wide} px too wide\n`);
      const { found } = await inspect(page);
      for (const one of found) process.stdout.write(`${name} ${colorScheme} ${size.width}: ${JSON.stringify(one)}\n`);
      looks.push(await page.screenshot());
    }
  const [light, lightPhone, dark, darkPhone] = looks;
  const desk = (picture: Buffer | undefined) => sharp(picture).resize(800, 500).toBuffer();
  await sharp({ create: { width: 1600, height: 1004, channels: 3, background: '#f0f' } })
    .composite([
      { input: await desk(light), left: 0, top: 0 },
      { input: await desk(dark), left: 0, top: 504 },
      { input: lightPhone ?? '', left: 804, top: 0 },
      { input: darkPhone ?? '', left: 1200, top: 0 },
    ])
    .png()
    .toFile(join(folder, `${name}.png`));
  process.stdout.write(`${name}: ${await page.title()}\n`);
}

/** Creates an organization on a server that has none. */
async function founding(): Promise<void> {
  const { origin, link: first, close } = await openFounding();
  const browser = await openBrowser({ javaScriptEnabled: true, locale });
  const { context } = browser;
  try {
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await take(page, 'no-organization');
    await page.goto(first);
    await take(page, 'founding');
    await page.getByLabel(t('found.name')).fill('Bird Watchers');
    await page.getByLabel(t('common.yourName')).fill('Olive Owner');
    await page.getByLabel(t('found.email')).fill('olive@roost.test');
    await page.getByLabel(t('common.password')).fill('password');
    await page.getByRole('button', { name: t('found.create') }).click();
    await take(page, 'founding-refused');
    await page.getByLabel(t('common.password')).fill('wide open sky');
    await page.getByRole('button', { name: t('found.create') }).click();
    await take(page, 'welcome');
    await page.getByRole('button', { name: t('welcome.makeLink') }).press('Enter');
    await page.getByLabel(t('welcome.link')).waitFor();
    const link = new URL(await page.getByLabel(t('welcome.link')).inputValue()).pathname;
    await take(page, 'welcome-link');
    await page.getByRole('link', { name: t('guide.openClient') }).click();
    await page.waitForTimeout(1500);
    await take(page, 'first-steps');
    await context.clearCookies();
    await page.goto(`${origin}${link}`);
    await take(page, 'join');
  } finally {
    await browser.close();
    await close();
  }
}

/** Takes pages that everybody can open, and the one for an unknown address. */
async function outside(page: Page, url: string): Promise<void> {
  const pages = {
    'log-in': '/login/',
    'not-found': '/nothing/here',
    reset: '/accounts/password/reset/',
    'reset-gone': `/accounts/password/reset/${'A'.repeat(40)}`,
    'invitation-gone': '/join/aaaaaaaaaaaaaaaaaaaaaaaa/',
    'unsubscribe-gone': '/accounts/unsubscribe/missed_messages/aaaaaaaaaaaaaaaaaaaaaaaa/',
    'provider-away': '/accounts/login/social/okta',
    saml: '/accounts/login/saml/nobody/',
    register: '/register/',
    apps: '/apps/',
    help: '/help/',
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${url}${path}`);
    await take(page, name);
  }
  await page.goto(`${url}/login/`);
  await page.getByLabel(t('common.email')).fill('owner@roost.test');
  await page.getByLabel(t('common.password')).fill('wrong');
  await page.getByRole('button', { name: t('common.logIn'), exact: true }).click();
  await take(page, 'log-in-refused');
}

/** Takes the pages that links in mails open. */
async function byMail(page: Page, demo: DemoPages): Promise<void> {
  const { user_id } = await demo.call('guest', 'GET', '/users/me');
  const settings = { email: 'somewhere.else@roost.test', email_notifications_batching_period_seconds: 1 };
  await demo.call('guest', 'PATCH', '/settings', settings);
  await demo.call('member', 'POST', '/messages', { type: 'direct', to: [user_id], content: 'Are you there?' });
  const links = {
    'new-address': ['confirm_new_email', 'newAddress.use'],
    'keep-address': ['keep_email', 'newAddress.keepThis'],
    unsubscribe: ['unsubscribe', 'mails.end'],
  } as const;
  for (const [name, [path, button]] of Object.entries(links)) {
    await page.goto(`${demo.server.url}${await mailedLink(page, demo, path)}`);
    await take(page, name);
    await page.getByRole('button', { name: t(button) }).click();
    await take(page, `${name}-done`);
  }
}

/** Waits for a mail with a link to a path below /accounts/. */
async function mailedLink(page: Page, demo: DemoPages, path: string): Promise<string> {
  const pattern = new RegExp(`/accounts/${path}/[\\w/-]+`);
  for (let tries = 0; tries < 300; tries++) {
    const [link] = writtenMails(demo.place.dataDir).flatMap((mail) => pattern.exec(mail) ?? []);
    if (link !== undefined) return link;
    await page.waitForTimeout(100);
  }
  throw new Error(`no mail with a link to ${path}`);
}

/** Takes the pages of an account, as they are and when they refuse something, and the client's settings of it. */
async function inside(page: Page, url: string): Promise<void> {
  const client = {
    'client-account': '#settings/account-and-privacy',
    'client-notifications': '#settings/notifications',
    'client-log-in-methods': '#organization/auth-methods',
    'client-organization': '#organization/organization-settings',
    'client-nowhere': '#user/999999',
  };
  for (const [name, hash] of Object.entries(client)) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.waitForTimeout(800);
    await take(page, name);
  }
  const pages = { sessions: 'sessions', connections: 'connections', 'audit-log': 'audit-log', confirm: 'confirm' };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${url}/accounts/${path}/`);
    await take(page, name);
  }
  await page.goto(`${url}/logout/`);
  await take(page, 'log-out');
  await page.goto(`${url}/accounts/passkeys/`);
  await take(page, 'passkeys');
  await page.getByRole('button', { name: t('passkeys.add') }).click();
  await take(page, 'passkeys-password');
  await page.getByLabel(t('account.yourPassword')).fill('wrong');
  await page.getByRole('button', { name: t('account.continue') }).click();
  await take(page, 'passkeys-refused');
  await page.goto(`${url}/accounts/confirm/`);
  await page.getByLabel(t('account.yourPassword')).fill('wrong');
  await page.getByRole('button', { name: t('confirm.confirm') }).click();
  await take(page, 'confirm-refused');
}

/** Turns an authenticator app's codes on, and logs in with one. */
async function secondFactor(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/accounts/second-factor/setup/`);
  await take(page, 'second-factor');
  const secret = /[A-Z2-7]{32}|(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(await page.locator('main').innerText())?.[0] ?? '';
  await page.locator('[name=code]').fill(codeOf(secret.replaceAll(' ', ''), Date.now()));
  await page.locator('[name=password]').fill(PASSWORD);
  await page.locator('[name=code]').press('Enter');
  await page.getByRole('heading', { level: 1, name: t('codes.recovery') }).waitFor();
  await take(page, 'recovery-codes');
  await page.goto(`${url}/accounts/second-factor/setup/`);
  await take(page, 'second-factor-on');
  await page.context().clearCookies();
  await page.goto(`${url}/login/`);
  await page.getByLabel(t('common.email')).fill('owner@roost.test');
  await page.getByLabel(t('common.password')).fill(PASSWORD);
  await page.getByRole('button', { name: t('common.logIn'), exact: true }).click();
  await take(page, 'second-factor-asked');
}

await founding();
const demo = await DemoPages.open('sqlite', signInFile({ providers: PROVIDERS }));
try {
  const out = await openBrowser({ javaScriptEnabled: true, locale });
  await outside(await out.context.newPage(), demo.server.url);
  await byMail(await out.context.newPage(), demo);
  await out.close();
  const member = await demo.logIn('member', { locale });
  const owner = await demo.logIn('owner', { locale });
  for (const person of ['member', 'owner'] as const)
    await demo.call(person, 'PATCH', '/settings', { default_language: values.language });
  await member.goto(`${demo.server.url}/accounts/audit-log/`);
  await take(member, 'audit-log-refused');
  await inside(owner, demo.server.url);
  await secondFactor(owner, demo.server.url);
} finally {
  await demo.close();
}
