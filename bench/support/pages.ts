import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../../test/support/browser.ts';

/** Notes when the first message is painted, and the time of each key press until its paint. */
const WATCH = `
  globalThis.seen = { painted: undefined, keys: [] };
  const afterPaint = (run) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel();
    port1.onmessage = run; port2.postMessage(0); });
  globalThis.afterPaint = afterPaint;
  addEventListener('keydown', ({ timeStamp }) => afterPaint(() => seen.keys.push(performance.now() - timeStamp)), true);
  const look = new MutationObserver(() => {
    if (seen.painted === undefined && document.querySelector('main article')) {
      seen.painted = null;
      afterPaint(() => { seen.painted = performance.now(); look.disconnect(); });
    }
  });
  look.observe(document, { childList: true, subtree: true });`;

const OWNER = { email: 'owner@bench.test', password: 'bench-password' };
/** Number of checks for the first paint, one every 20 ms. */
const MOST_TRIES = 1500;
/** The cookies of a logged-in browser. */
export type Cookies = Awaited<ReturnType<Browser['context']['cookies']>>;

/** Logs the owner of a prepared organization in once; returns the cookies with which other browsers are logged in. */
export async function session(url: string): Promise<Cookies> {
  const browser = await openBrowser({ javaScriptEnabled: true });
  const page = await browser.context.newPage();
  await page.goto(`${url}/login/`);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  const cookies = await browser.context.cookies();
  await browser.close();
  return cookies;
}

/** Opens a browser that has a session and an empty cache. */
export async function freshBrowser(cookies: Cookies): Promise<Browser> {
  const browser = await openBrowser({ javaScriptEnabled: true });
  await browser.context.addCookies(cookies);
  await browser.context.addInitScript(WATCH);
  return browser;
}

/** Returns the milliseconds from the navigation until the first message was painted. */
export async function painted(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const at: number | undefined | null = await page.evaluate('seen.painted');
    if (typeof at === 'number') return at;
    await pause(20);
  }
  throw new Error(`no message was painted at ${address}`);
}

/** Returns the milliseconds from a change of the address until messages of that conversation are painted. */
export function switched(page: Page, hash: string): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    const before = document.querySelector('main article')?.dataset.message;
    const from = performance.now();
    const look = new MutationObserver(() => {
      const now = document.querySelector('main article')?.dataset.message;
      if (now === undefined || now === before) return;
      look.disconnect();
      afterPaint(() => done(performance.now() - from));
    });
    look.observe(document.querySelector('main'), { childList: true, subtree: true });
    location.hash = ${JSON.stringify(hash)};
  })`);
}
