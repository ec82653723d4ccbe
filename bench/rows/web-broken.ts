import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { DemoPages, goTo } from '../../test/support/demo-pages.ts';
import { report } from '../support/statistics.ts';

/** Number of kills of the server, and minutes for which the network breaks. */
const KILLS = Number(process.env['ROOST_BENCH_WEB_KILLS'] ?? 20);
const BROKEN_MINUTES = Number(process.env['ROOST_BENCH_WEB_BROKEN_MINUTES'] ?? 20);
/** Milliseconds between two messages of one person, and the longest network failure. */
const [PACE_MS, AWAY_MS] = [1500, 8000];
/** Milliseconds after the last failure within which everything must have arrived. */
const SETTLE_MS = 60_000;
const [CHANNEL, TOPIC] = [2, 'through trouble'];
const HERE = '#narrow/channel/2-design/topic/through.20trouble';
const DRAFT = 'a draft that nobody sends';

/**
 * Two browsers exchange messages while the server is killed and the network breaks; counts what was lost, duplicated or
 * forgotten.
 */
export async function benchWebBroken(): Promise<void> {
  const demo = await DemoPages.open();
  const pages = [await demo.logIn('member'), await demo.logIn('admin')] as const;
  for (const page of pages) {
    await goTo(page, '#narrow/channel/2-design/topic/not.20sent');
    await page.locator('.dock textarea').fill(DRAFT);
    await pause(1500);
    await goTo(page, HERE);
    await page.evaluate('globalThis.sameDocument = true');
  }
  const isOver = { value: false };
  const talking = pages.map((page, index) => talk(page, `person ${index}`, isOver));
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(1000 + Math.random() * 4000);
    await demo.server.kill('SIGKILL');
    await pause(Math.random() * 2000);
    await demo.restart();
  }
  const end = performance.now() + BROKEN_MINUTES * 60_000;
  while (performance.now() < end) {
    await breakNetwork(pages[Math.random() < 0.5 ? 0 : 1]);
    await pause(500 + Math.random() * 3000);
  }
  isOver.value = true;
  const sent = (await Promise.all(talking)).flat();
  const arrived = await settled(demo, sent);
  await tell(pages, sent, arrived);
  await demo.close();
}

/** Writes messages as one person, whatever happens; returns them. */
async function talk(page: Page, who: string, isOver: { readonly value: boolean }): Promise<readonly string[]> {
  const sent: string[] = [];
  const field = page.locator('.dock textarea');
  while (!isOver.value) {
    const text = `${who} says ${sent.length}`;
    await field.fill(text);
    await field.press('Control+Enter');
    sent.push(text);
    await pause(PACE_MS);
  }
  return sent;
}

/** Breaks the network for a while: at once, or in the middle of requests. */
async function breakNetwork(page: Page): Promise<void> {
  if (Math.random() < 0.5) {
    await page.context().setOffline(true);
    await pause(Math.random() * AWAY_MS);
    await page.context().setOffline(false);
    return;
  }
  // The server has processed the request, but the answer is lost.
  await page.route('**/api/v1/**', async (route) => {
    if (Math.random() < 0.5) await route.fetch().catch(() => undefined);
    await route.abort('connectionreset').catch(() => undefined);
  });
  await pause(Math.random() * AWAY_MS);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** What arrived at the server, once that is all or time is up. */
async function settled(demo: DemoPages, sent: readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await everything(demo);
    if (sent.every((text) => found.includes(text)) || performance.now() > until) return found;
    await pause(1000);
  }
}

/** Fetches the contents of all messages of the topic, page by page. */
async function everything(demo: DemoPages): Promise<readonly string[]> {
  const found: string[] = [];
  let anchor: string | number = 'oldest';
  for (;;) {
    const narrow = [
      { operator: 'channel', operand: CHANNEL },
      { operator: 'topic', operand: TOPIC },
    ];
    const range = {
      narrow,
      anchor,
      num_before: 0,
      num_after: 1000,
      include_anchor: anchor === 'oldest',
      apply_markdown: false,
    };
    const page = (await demo.call('member', 'GET', '/messages', range))['messages'] as {
      id: number;
      content: string;
    }[];
    found.push(...page.map(({ content }) => content));
    const last = page.at(-1);
    if (!last || page.length < 1000) return found;
    anchor = last.id;
  }
}

async function tell(pages: readonly Page[], sent: readonly string[], arrived: readonly string[]): Promise<void> {
  const lost = sent.filter((text) => !arrived.includes(text)).length;
  const doubled = arrived.length - new Set(arrived).size;
  let [reloads, drafts, unseen] = [0, 0, 0];
  for (const page of pages) {
    if ((await page.evaluate('globalThis.sameDocument')) !== true) reloads++;
    await page.keyboard.press('End');
    const newest = arrived.at(-1) ?? '';
    const isSeen = await page
      .getByText(newest, { exact: true })
      .first()
      .waitFor({ timeout: 20_000 })
      .then(
        () => true,
        () => false,
      );
    if (!isSeen) unseen++;
    await goTo(page, '#narrow/channel/2-design/topic/not.20sent');
    if ((await page.locator('.dock textarea').inputValue()) !== DRAFT) drafts++;
  }
  const what = `${KILLS} kills, ${BROKEN_MINUTES} minutes of broken network, ${sent.length} messages`;
  report(
    'web',
    what,
    `${lost} lost, ${doubled} doubled, ${reloads} reloads, ${drafts} drafts lost, ${unseen} not shown (bar 0 each)`,
  );
}
