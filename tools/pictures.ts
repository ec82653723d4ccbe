// Takes the pictures of the documentation from a demo server, which runs already: `npm run demo`, then
// `npx tsx --conditions=source tools/pictures.ts http://localhost:9991`. Needs Debian's Chromium.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/support/browser.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const PERSON = { username: 'member@roost.test', password: 'roost-demo-password' };
/** Milliseconds in which a page settles: what comes late (pictures, counts) has come. */
const SETTLE_MS = 1500;

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/** File name, colours, size, and the part of the address behind `#`. */
const PICTURES = [
  { name: 'conversation', colorScheme: 'light', size: WIDE, route: 'topic' },
  { name: 'conversation-dark', colorScheme: 'dark', size: WIDE, route: 'topic' },
  { name: 'inbox', colorScheme: 'light', size: WIDE, route: 'inbox' },
  { name: 'channels', colorScheme: 'light', size: WIDE, route: 'channels' },
  { name: 'settings', colorScheme: 'dark', size: WIDE, route: 'settings/preferences' },
  { name: 'phone', colorScheme: 'dark', size: PHONE, route: 'topic' },
] as const;

async function take(server: string, picture: (typeof PICTURES)[number], topic: string): Promise<void> {
  const browser = await openBrowser({ colorScheme: picture.colorScheme, javaScriptEnabled: true });
  try {
    const page = await browser.context.newPage();
    await page.setViewportSize(picture.size);
    // What is asked once at the first visit stands in no picture.
    await page.addInitScript("localStorage.setItem('roost-asked-for-notifications', '1')");
    await logIn(page, server);
    await page.goto(`${server}/#${picture.route === 'topic' ? topic : picture.route}`);
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: `${FOLDER}${picture.name}.png` });
  } finally {
    await browser.close();
  }
}

async function logIn(page: Page, server: string): Promise<void> {
  await page.goto(`${server}/login/`);
  await page.fill('[name=username]', PERSON.username);
  await page.fill('[name=password]', PERSON.password);
  await page.press('[name=password]', 'Enter');
  await page.waitForSelector('#app main');
}

/** Where the demo's conversation about the logo is, behind `#`. */
async function findTopic(server: string): Promise<string> {
  const browser = await openBrowser({ javaScriptEnabled: true });
  try {
    const page = await browser.context.newPage();
    await page.setViewportSize(WIDE);
    await logIn(page, server);
    const href = await page.getAttribute('a[href*="/topic/logo"]', 'href');
    return (href ?? '').replace(/^.*#/, '');
  } finally {
    await browser.close();
  }
}

const server = (process.argv[2] ?? 'http://localhost:9991').replace(/\/$/, '');
mkdirSync(FOLDER, { recursive: true });
const topic = await findTopic(server);
for (const picture of PICTURES) await take(server, picture, topic);
