import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { fillMessages, openPrepared } from '../support/history.ts';
import { freshBrowser, painted, session } from '../support/pages.ts';
import { prepare, type Size, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

/** An organization of everyday size, and one of ten thousand people and channels, whose reader is in all of them. */
const SIZES: Readonly<Record<string, Size & { readonly messages: number }>> = {
  small: { users: 50, channels: 20, subscribers: 25, ownerHasAll: true, messages: 5000 },
  crowd: { users: 10_000, channels: 10_000, subscribers: 8, ownerHasAll: true, messages: 100_000 },
};
/** Number of changes between views. */
const TURNS = 6;

/** The web client's actions in a very large organization, compared with a small one. */
export async function benchWebCrowd(): Promise<void> {
  for (const [name, size] of Object.entries(SIZES)) {
    const { folder, accounts, remove } = await prepare(size);
    const store = await openPrepared(folder);
    await fillMessages(store, accounts[0]?.id ?? 0, { ...size, first: 1, last: size.messages });
    await store.close();
    const server = await startRoost(folder);
    await look(name, `http://127.0.0.1:${server.port}`);
    await server.stop();
    remove();
  }
}

async function look(name: string, url: string): Promise<void> {
  const browser = await freshBrowser(await session(url));
  const page = await browser.context.newPage();
  const say = (what: string, figure: string) => report('web', `${name}: ${what}`, figure);
  await page.addInitScript(`globalThis.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask' })`);
  say('first conversation shown', `${(await painted(page, `${url}/#feed`)).toFixed(0)} ms${await longest(page)}`);
  await pause(4000);
  say('the same, later', `${(await painted(page, `${url}/#feed`)).toFixed(0)} ms${await longest(page)}`);
  const views = { inbox: '#inbox', 'recent conversations': '#recent', 'combined feed': '#feed' };
  for (const [view, hash] of Object.entries(views)) say(view, await openings(page, hash));
  say('a topic', await openings(page, '#narrow/channel/1-channel-0/topic/topic.201'));
  say('list of channels', await openings(page, '#channels'));
  say('key in its field', await typed(page, page.getByRole('searchbox').first(), 'channel 12'));
  say('list of people', await openings(page, '#organization/users/active'));
  say('key in its field', await typed(page, page.getByRole('searchbox').first(), 'User Number 12'));
  await page.goto(`${url}/#narrow/channel/1-channel-0/topic/topic.201`);
  const box = page.locator('.dock textarea');
  await box.waitFor();
  say('key with names completed', await typed(page, box, '@User Number 12'));
  say('key with channels completed', await typed(page, box, '#channel 12'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  say('key in the palette', await typed(page, page.getByRole('combobox').last(), 'channel 12'));
  await page.keyboard.press('Escape');
  say('wheel over the sidebar', await wheeled(page));
  const devtools = await browser.context.newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const nodes: number = await page.evaluate('document.getElementsByTagName("*").length');
  say('heap, elements', `${(usedSize / 2 ** 20).toFixed(1)} MB, ${nodes}`);
  await browser.close();
}

/** Returns the longest task since the last call. */
async function longest(page: Page): Promise<string> {
  // Tasks are reported after they have ended.
  await pause(200);
  const found: number = await page.evaluate('((was) => (longest = 0, was))(longest)');
  return `, longest task ${found === 0 ? 'under 50' : found.toFixed(0)} ms`;
}

/** Measures the time from a change of the address until the view is painted. */
async function openings(page: Page, hash: string): Promise<string> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    await page.evaluate('location.hash = "#drafts"');
    await pause(300);
    const time: number = await page.evaluate(`new Promise((done) => {
      const from = performance.now();
      let last = from;
      const look = new MutationObserver(() => (last = performance.now()));
      look.observe(document.querySelector('main'), { childList: true, subtree: true });
      location.hash = ${JSON.stringify(hash)};
      setTimeout(() => (look.disconnect(), done(last - from)), 700);
    })`);
    if (turn > 0) times.push(time);
  }
  return `${quantile(times, 0.5).toFixed(0)} ms${await longest(page)}`;
}

/** Measures the time from key presses until they are painted. */
async function typed(page: Page, field: ReturnType<Page['locator']>, text: string): Promise<string> {
  await field.focus();
  await page.evaluate('seen.keys.length = 0');
  for (let round = 0; round < 3; round++) {
    await field.pressSequentially(text, { delay: 25 });
    for (let back = 0; back < text.length; back++) await page.keyboard.press('Backspace');
  }
  const times: number[] = await page.evaluate('seen.keys');
  return `p50 ${quantile(times, 0.5).toFixed(0)} ms, p98 ${quantile(times, 0.98).toFixed(0)} ms${await longest(page)}`;
}

/** Counts late frames while the wheel scrolls down and up again. */
async function wheeled(page: Page): Promise<string> {
  await page.evaluate(`globalThis.frames = []; globalThis.last = performance.now(); (function frame(now) {
    frames.push(now - last); last = now; globalThis.watching = requestAnimationFrame(frame);
  })(last)`);
  await page.mouse.move(120, 500);
  for (let turn = 0; turn < 120; turn++) {
    await page.mouse.wheel(0, turn < 60 ? 700 : -700);
    await pause(8);
  }
  const times: number[] = await page.evaluate('cancelAnimationFrame(watching), frames.slice(1)');
  const late = times.filter((time) => time > 33.4).length;
  return `${((100 * late) / times.length).toFixed(1)} % of ${times.length} frames over 33 ms${await longest(page)}`;
}
