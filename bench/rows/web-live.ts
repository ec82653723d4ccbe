import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Account } from '../support/connection.ts';
import { type Cookies, freshBrowser, painted } from '../support/pages.ts';
import { quantile, report } from '../support/statistics.ts';

/** Messages loaded before the measurement, if the reader has as many. */
const HELD = 5000;
/** Seconds of the flood, and its messages per second. */
const [FLOOD_SECONDS, FLOOD_RATE] = [Number(process.env['ROOST_BENCH_WEB_FLOOD_SECONDS'] ?? 60), 50];
/** Minutes of the calm phase, and its events per second; the heap must not grow in the last half. */
const [CALM_MINUTES, CALM_RATE] = [Number(process.env['ROOST_BENCH_WEB_HEAP_MINUTES'] ?? 60), 5];
const SENDS = 40;
/** Most pages of history that are fetched until enough is loaded. */
const MOST_PAGES = 400;

/** The measured server, and the people who write. */
export interface Place {
  readonly name: string;
  readonly url: string;
  readonly cookies: Cookies;
  readonly accounts: readonly Account[];
}

/** Measures an open page with many messages while others write. */
export async function live(place: Place): Promise<void> {
  const browser = await freshBrowser(place.cookies);
  const page = await browser.context.newPage();
  const held = countMessages(page);
  await painted(page, `${place.url}/#feed`);
  await fill(page, held);
  const devtools = await browser.context.newCDPSession(page);
  await wheel(place, page, held.count);
  await flood(place, page, devtools);
  await calm(place, devtools);
  await sends(place, page);
  await browser.close();
}

/** Counts the messages that a page fetches. */
function countMessages(page: Page): { count: number } {
  const held = { count: 0 };
  page.on('response', (response) => {
    if (!response.url().includes('/api/v1/messages?')) return;
    void response.json().then(
      (body: { messages?: unknown[] }) => (held.count += body.messages?.length ?? 0),
      () => undefined,
    );
  });
  return held;
}

async function fill(page: Page, held: { readonly count: number }): Promise<void> {
  for (let pages = 0; held.count < HELD && pages < MOST_PAGES; pages++) {
    const before = held.count;
    await page.evaluate('document.querySelector("main .virtual").scrollTop = 0');
    for (let waits = 0; held.count === before && waits < 50; waits++) await pause(20);
    if (held.count === before) return;
  }
}

/** Scrolls through all of them with the wheel. */
async function wheel({ name }: Place, page: Page, count: number): Promise<void> {
  await page.evaluate(`globalThis.frames = []; globalThis.last = performance.now(); (function frame(now) {
    frames.push(now - last); last = now; globalThis.watching = requestAnimationFrame(frame);
  })(last)`);
  await page.mouse.move(640, 400);
  for (let turn = 0; turn < 600; turn++) {
    await page.mouse.wheel(0, turn < 300 ? 700 : -700);
    await pause(8);
  }
  const times: number[] = await page.evaluate('cancelAnimationFrame(watching), frames.slice(1)');
  const late = times.filter((time) => time > 33.4).length;
  const figure = `${((100 * late) / times.length).toFixed(1)} % of ${times.length}, p99 ${quantile(times, 0.99).toFixed(0)} ms`;
  report('web', `${name}: wheel through ${count} messages, frames over 33 ms (bar 2 %)`, figure);
}

/** Measures the page's cost of a message, and its longest task while many arrive. */
async function flood(place: Place, page: Page, devtools: CDPSession): Promise<void> {
  await page.keyboard.press('End');
  await page.evaluate(`globalThis.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask' })`);
  await devtools.send('Performance.enable');
  const work = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find((one) => one.name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  // The page's own work in the same time does not count.
  const idleFrom = await work();
  await pause(3000);
  const idle = ((await work()) - idleFrom) / 3;
  const from = await work();
  const started = performance.now();
  const count = await talk(place, FLOOD_RATE, FLOOD_SECONDS);
  const seconds = (performance.now() - started) / 1000;
  await pause(500);
  const each = ((await work()) - from - idle * seconds) / count;
  const longest: number = await page.evaluate('longest');
  const figure = `${each.toFixed(2)} ms each of ${count}, ${(count / seconds).toFixed(0)} a second`;
  report('web', `${place.name}: a message that arrives, all work (bar 5 ms)`, figure);
  const told = longest === 0 ? 'under 50 ms' : `${longest.toFixed(0)} ms`;
  report('web', `${place.name}: longest task while ${FLOOD_RATE} a second arrive (bar 50)`, told);
}

/** Sends messages of many people at a rate to the reader's channels; returns the number sent. */
async function talk({ url, accounts }: Place, rate: number, seconds: number): Promise<number> {
  const waiting: Promise<unknown>[] = [];
  const started = performance.now();
  for (let index = 0; index < rate * seconds; index++) {
    const due = started + (index * 1000) / rate;
    await pause(Math.max(0, due - performance.now()));
    waiting.push(say(url, accounts[1 + (index % 20)], `message ${index}`));
  }
  await Promise.all(waiting);
  return waiting.length;
}

async function say(url: string, account: Account | undefined, content: string): Promise<void> {
  if (!account) throw new Error('nobody is there to talk');
  const response = await fetch(`${url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}` },
    body: new URLSearchParams({ type: 'stream', to: 'channel 0', topic: 'live', content }),
  });
  if (response.status !== 200) throw new Error(`a message was refused: ${await response.text()}`);
}

/** Measures the heap after the calm phase, and its growth in the last half. */
async function calm(place: Place, devtools: CDPSession): Promise<void> {
  const heap = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
  const seconds = CALM_MINUTES * 30;
  await talk(place, CALM_RATE, seconds);
  const middle = await heap();
  await talk(place, CALM_RATE, seconds);
  const end = await heap();
  const figure = `${end.toFixed(1)} MB, ${(end - middle).toFixed(1)} MB in the last half of ${CALM_MINUTES} minutes`;
  report('web', `${place.name}: heap (bar 60 MB S, 120 L), growth (bar none)`, figure);
}

/** Measures the time until a sent message is visible to its author, and in another browser. */
async function sends({ name, url, cookies }: Place, page: Page): Promise<void> {
  const hash = '#narrow/channel/1-channel-0/topic/live';
  const other = await freshBrowser(cookies);
  const reader = await other.context.newPage();
  await painted(reader, `${url}/${hash}`);
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  for (const one of [page, reader]) {
    await one.getByRole('heading', { level: 1, name: 'live' }).click();
    // The feed opens at the first unread message; new ones are visible at its end.
    await one.keyboard.press('End');
    await pause(1000);
    await one.evaluate(SHOWN);
  }
  const field = page.locator('.dock textarea');
  const [own, others]: [number[], number[]] = [[], []];
  for (let index = 0; index < SENDS; index++) {
    const text = `sent number ${index} of these`;
    await field.fill(text);
    const at = page.evaluate<number>(`seenText(${JSON.stringify(text)})`);
    const there = reader.evaluate<number>(`seenText(${JSON.stringify(text)})`);
    const sent = page.evaluate<number>(`new Promise((done) => addEventListener('keydown',
      (event) => done(performance.timeOrigin + event.timeStamp), { capture: true, once: true }))`);
    await field.press('Control+Enter');
    own.push((await at) - (await sent));
    others.push((await there) - (await sent));
  }
  await other.close();
  const figure = `${quantile(own, 0.95).toFixed(0)}, ${quantile(others, 0.95).toFixed(0)} ms`;
  report('web', `${name}: sent until seen (bar 32), in another browser (150), p95`, figure);
}

/**
 * Resolves when a text is painted in the feed, in milliseconds since 1970: the clocks of pages on one machine agree.
 */
const SHOWN = `globalThis.seenText = (text) => new Promise((done) => {
  const tell = () => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.timeOrigin + performance.now()); port2.postMessage(0); });
  const look = new MutationObserver(() => {
    if (!document.querySelector('main .feed')?.textContent.includes(text)) return;
    look.disconnect();
    tell();
  });
  look.observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
})`;
