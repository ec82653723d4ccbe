// Takes pictures of every screen and dialog of the web client with much content, as contact sheets for people to look at:
// `npx tsx --conditions=source tools/screens.ts FOLDER [--widths=1440,390] [--schemes=light,dark]
// [--density=compact] [--contrast=more,forced] [--text=percent] [--language=de] [--only=part of a name]`, after `npm run build`.
// Below 768 px there is a touch screen instead of a mouse. Prints texts outside of the window, and controls too small
// for a finger. Needs Debian’s
// Chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { outside, tooSmall } from '../test/support/accessibility.ts';
import { DemoPages } from '../test/support/demo-pages.ts';
import { Furnishing, furnish } from '../test/support/furnished.ts';
import { call, demoAccount, runCommand } from '../test/support/process.ts';
import { dialogs, type Screen, views } from '../test/support/screens.ts';
import { useInEnglish, useInGerman } from './translated.ts';

/** Milliseconds until a page no longer changes: late content (pictures, counts) has arrived. */
const SETTLE_MS = 500;
const HEIGHT = 900;
/** Width in px from which on there is a mouse. */
const DESK = 768;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    widths: { type: 'string', default: '1440,390' },
    schemes: { type: 'string', default: 'light,dark' },
    density: { type: 'string', default: 'comfortable' },
    contrast: { type: 'string', default: '' },
    text: { type: 'string', default: '100' },
    language: { type: 'string', default: 'en' },
    only: { type: 'string', default: '' },
  },
});

async function take(page: Page, screen: Screen): Promise<Buffer> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate(`location.hash = ${JSON.stringify(screen.hash)}`);
  await page.waitForTimeout(SETTLE_MS);
  try {
    await screen.open?.(page);
  } catch (error) {
    process.stderr.write(`${screen.name}: ${String(error).split('\n')[0]}\n`);
  }
  await page.waitForTimeout(screen.open ? SETTLE_MS : 100);
  const picture = await page.screenshot();
  for (const text of await outside(page)) process.stdout.write(`${screen.name}: out of the window: ${text}\n`);
  if ((page.viewportSize()?.width ?? DESK) < DESK)
    for (const target of await tooSmall(page)) process.stdout.write(`${screen.name}: too small: ${target}\n`);
  // Undoes what was done, so that the next picture does not show it.
  if (screen.open) {
    await page.keyboard.press('Control+z');
    await page.reload();
  }
  return picture;
}

/** Puts pictures side by side, as large as can be read well. */
async function sheet(file: string, pictures: readonly Buffer[], width: number): Promise<void> {
  const columns = width > 1000 ? 2 : width > 600 ? 2 : 5;
  const each = Math.floor(1800 / columns);
  const tall = Math.round((each * HEIGHT) / width);
  const rows = Math.ceil(pictures.length / columns);
  const input = await Promise.all(pictures.map((one) => sharp(one).resize(each, tall).toBuffer()));
  await sharp({ create: { width: columns * (each + 8), height: rows * (tall + 8), channels: 3, background: '#f0f' } })
    .composite(
      input.map((one, index) => ({
        input: one,
        left: (index % columns) * (each + 8),
        top: Math.floor(index / columns) * (tall + 8),
      })),
    )
    .png()
    .toFile(file);
}

const folder = positionals[0] ?? 'screens';
mkdirSync(folder, { recursive: true });
const demo = await DemoPages.open();
await runCommand(demo.place, ['account', 'permit', '--email=owner@roost.test']);
const found = await furnish(new Furnishing(demo.server));
const wanted = [...views(found), ...dialogs(found)].filter(({ name }) =>
  values.only.split(',').some((part) => name.includes(part)),
);

/** Opens somebody's browser in a colour scheme and width. */
async function open(who: Screen['who'], scheme: string, width: number): Promise<Page> {
  const page = await demo.logIn(who, { colorScheme: scheme === 'dark' ? 'dark' : 'light', hasTouch: width < DESK });
  page.setDefaultTimeout(4000);
  await page.setViewportSize({ width, height: HEIGHT });
  if (values.contrast === 'forced') await page.emulateMedia({ forcedColors: 'active' });
  if (values.contrast === 'more') await page.emulateMedia({ contrast: 'more' });
  await page.evaluate(
    `localStorage.setItem('roost-asked-for-notifications', '1'); localStorage.setItem('roost-density', '${values.density}')`,
  );
  await page
    .context()
    .addInitScript(
      `addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('font-size', '${values.text}%'))`,
    );
  await page.reload();
  return page;
}

/** Changes the language of those whose pages are shown. */
async function speak(language: string): Promise<void> {
  for (const who of ['member', 'owner']) {
    const account = await demoAccount(demo.server, `${who}@roost.test`);
    await call(demo.server, account, 'PATCH', '/settings', { default_language: language });
  }
}

try {
  for (const scheme of values.schemes.split(','))
    for (const width of values.widths.split(',').map(Number)) {
      const pages = { member: await open('member', scheme, width), owner: await open('owner', scheme, width) };
      await speak(values.language);
      if (values.language === 'de') for (const page of Object.values(pages)) useInGerman(page);
      const perSheet = width > 600 ? 4 : 10;
      const there = wanted.filter(({ isWide }) => isWide !== true || width >= DESK);
      for (let start = 0; start < there.length; start += perSheet) {
        const part = there.slice(start, start + perSheet);
        const pictures: Buffer[] = [];
        for (const screen of part) pictures.push(await take(pages[screen.who], screen));
        const name = `${scheme}-${width}-${String(start / perSheet).padStart(2, '0')}`;
        await sheet(join(folder, `${name}.png`), pictures, width);
        process.stdout.write(`${name}: ${part.map((screen) => screen.name).join(' · ')}\n`);
      }
      for (const page of Object.values(pages)) await page.context().close();
      // Pages are logged in by English names.
      useInEnglish();
      await speak('en');
    }
  for (const complaint of new Set(demo.complaints)) process.stdout.write(`complaint: ${complaint}\n`);
} finally {
  await demo.close();
}
