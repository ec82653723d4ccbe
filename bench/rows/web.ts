import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { fillMessages, openPrepared } from '../support/history.ts';
import { type Cookies, freshBrowser, painted, session, switched } from '../support/pages.ts';
import { prepare, type Size, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';
import { live } from './web-live.ts';

/** Sizes of organizations, with their messages. */
const SIZES: Readonly<Record<string, Size & { readonly messages: number }>> = {
  S: { users: 50, channels: 20, subscribers: 25, messages: 5000 },
  L: { users: 10_000, channels: 1000, subscribers: 800, messages: 100_000 },
};
const VISITS = 5;
const MENTION = '@User Number 12';
/** Milliseconds between two keys: a keyboard repeats a held key after 30 at the earliest. */
const KEY_REPEAT_MS = 20;
/** The sizes to measure; both by default. */
const ONLY = process.env['ROOST_BENCH_WEB_SIZES'] ?? 'S,L';
const DIST = fileURLToPath(new URL('../../dist/web/', import.meta.url));

/** The web client in a browser without a window, compared with an empty page of the same server. */
export async function benchWeb(): Promise<void> {
  sizes();
  for (const [name, size] of Object.entries(SIZES)) {
    if (!ONLY.split(',').includes(name)) continue;
    const { folder, accounts, remove } = await prepare(size);
    const store = await openPrepared(folder);
    await fillMessages(store, accounts[0]?.id ?? 0, { ...size, first: 1, last: size.messages });
    await store.close();
    const server = await startRoost(folder);
    const url = `http://127.0.0.1:${server.port}`;
    const cookies = await session(url);
    await visits(name, url, cookies);
    await changes(name, url, cookies);
    await live({ name, url, cookies, accounts });
    await server.stop();
    remove();
  }
}

/** Prints the size of what is loaded until the first message is visible. */
function sizes(): void {
  const manifest = JSON.parse(readFileSync(`${DIST}manifest.json`, 'utf8')) as {
    script: string;
    preload: readonly string[];
    style: string;
  };
  const sizeOf = (file: string) => statSync(`${DIST}${file}.br`).size / 1024;
  const scripts = [manifest.script, ...manifest.preload];
  const script = scripts.map(sizeOf).reduce((sum, size) => sum + size, 0);
  const figure = `${script.toFixed(1)} KB, ${sizeOf(manifest.style).toFixed(1)} KB, ${scripts.length + 4}`;
  report('web', 'script (bar 90 KB), style (20 KB), requests (8)', figure);
}

/** Measures a visit with an empty cache, and later ones. */
async function visits(name: string, url: string, cookies: Cookies): Promise<void> {
  const [first, later, floor]: [number[], number[], number[]] = [[], [], []];
  let registrations = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    const browser = await freshBrowser(cookies);
    const page = await browser.context.newPage();
    await page.goto(`${url}/api/v1/server_settings`);
    floor.push(await page.evaluate('performance.getEntriesByType("navigation")[0].duration'));
    first.push(await painted(page, `${url}/#feed`));
    // The client stores what is shown once it has not changed for a while.
    await pause(4000);
    page.on('request', (one) => (registrations += Number(one.url().endsWith('/register'))));
    later.push(await painted(page, `${url}/#feed`));
    await browser.close();
  }
  const middle = (values: readonly number[]) => quantile(values, 0.5).toFixed(0);
  report('web', `${name}: first visit (bar 600 S, 1,200 L)`, `${middle(first)} ms; empty page ${middle(floor)} ms`);
  const figure = `${middle(later)} ms, ${registrations} registrations; empty page ${middle(floor)} ms`;
  report('web', `${name}: later visit (bar 250 S, 400 L; none registers)`, figure);
}

/** Measures changes of conversation and key presses in one open browser. */
async function changes(name: string, url: string, cookies: Cookies): Promise<void> {
  const browser = await freshBrowser(cookies);
  const page = await browser.context.newPage();
  await painted(page, `${url}/#feed`);
  await conversations(name, page);
  await keys(name, page);
  await browser.close();
}

/** Returns the address of a topic that `fillMessages` fills. */
function hashOf(channel: number, topic: number): string {
  return `#narrow/channel/${channel}-channel-${channel - 1}/topic/topic.20${topic}`;
}

async function conversations(name: string, page: Page): Promise<void> {
  const [known, fetched]: [number[], number[]] = [[], []];
  for (let index = 0; index < 20; index++) fetched.push(await switched(page, hashOf(1 + (index % 20), index % 10)));
  for (let index = 0; index < 40; index++) known.push(await switched(page, hashOf(1 + (index % 2), index % 2)));
  const figure = `${quantile(known, 0.95).toFixed(0)}, ${quantile(fetched, 0.95).toFixed(0)} ms`;
  report('web', `${name}: conversation in memory (bar 50), fetched (150), p95`, figure);
}

async function keys(name: string, page: Page): Promise<void> {
  await page.locator('.dock textarea').focus();
  const [steady, rushed] = [await pressed(page, KEY_REPEAT_MS), await pressed(page, 0)];
  const figure = `${steady.toFixed(1)} ms; deleting without a pause ${rushed.toFixed(1)} ms`;
  report('web', `${name}: key with completion open (bar 50), p98`, figure);
}

/** Writes a mention, and deletes it with a key each `delay` ms; returns the milliseconds until 98 of 100 keys are painted. */
async function pressed(page: Page, delay: number): Promise<number> {
  await page.evaluate('seen.keys.length = 0');
  for (let round = 0; round < 10; round++) {
    await page.keyboard.type(MENTION, { delay: KEY_REPEAT_MS });
    for (const _letter of MENTION) await page.keyboard.press('Backspace', { delay });
  }
  const times: number[] = await page.evaluate('seen.keys');
  return quantile(times, 0.98);
}
