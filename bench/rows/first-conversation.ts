import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from '../../test/support/browser.ts';
import { startProcess } from '../../test/support/process.ts';
import { report } from '../support/statistics.ts';

const PASSWORD = 'three nests in the north tower';

/** Counts the clicks and inputs of two people. */
class Hands {
  clicks = 0;
  fields = 0;

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  /** Types into the fields of a form, from the one that has the focus on. */
  async fill(page: Page, texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      this.fields++;
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
  }
}

/** From the first start of a built server to a conversation of two people in two browsers, with all of their steps. */
export async function benchFirstConversation(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-first-'));
  const [one, other] = [await openBrowser({ javaScriptEnabled: true }), await openBrowser({ javaScriptEnabled: true })];
  const started = performance.now();
  const since = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const server = await startProcess(
    { dataDir: folder, databaseUrl: undefined, remove: async () => undefined },
    0,
    {},
    'serve',
  );
  report('day', 'the server prints the link', since());
  const hands = new Hands();
  const olive = await one.context.newPage();
  await olive.goto(here(server.url, /https?:\S+\/new\/\S+/.exec(server.output())?.[0] ?? ''));
  await found(hands, olive);
  report('day', 'the organization is there', since());
  const link = await invitation(hands, olive);
  const mia = await other.context.newPage();
  await mia.goto(here(server.url, link));
  await comeIn(hands, mia);
  report('day', 'the second person is in', since());
  await talk(hands, olive, mia);
  const what = `${hands.clicks} clicks, ${hands.fields} fields and 2 messages filled, by both together`;
  report('day', 'each has read the other', `${since()}; ${what}`);
  await Promise.all([one.close(), other.close()]);
  await server.kill('SIGTERM');
  rmSync(folder, { recursive: true });
}

/** Returns an address with the port that the server was given. */
function here(url: string, link: string): string {
  return new URL(new URL(link).pathname, url).href;
}

async function found(hands: Hands, page: Page): Promise<void> {
  await hands.fill(page, ['Rookery', 'Olive Owner', 'olive@roost.test', PASSWORD]);
  await hands.click(page.getByRole('button', { name: 'Create' }));
}

/** Makes an invitation link for the next person, and opens the client. */
async function invitation(hands: Hands, page: Page): Promise<string> {
  await hands.click(page.getByRole('button', { name: 'Create a link' }));
  const link = await page.getByLabel('Link to share').inputValue();
  await hands.click(page.getByRole('link', { name: 'Open the client' }));
  return link;
}

async function comeIn(hands: Hands, page: Page): Promise<void> {
  await hands.fill(page, ['Mia Member', 'mia@roost.test', PASSWORD]);
  await hands.click(page.getByRole('button', { name: 'Join' }));
}

/** One person writes to the other, who answers. */
async function talk(hands: Hands, olive: Page, mia: Page): Promise<void> {
  await hands.click(olive.getByRole('button', { name: 'New direct message' }).first());
  await olive.getByRole('dialog').getByRole('combobox').waitFor();
  await olive.keyboard.type('Mia');
  await olive.keyboard.press('Enter');
  await olive.locator('.dock textarea:focus').waitFor();
  await say(olive, 'Hello Mia');
  await hands.click(mia.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Olive Owner/ }));
  await mia.getByText('Hello Mia').first().waitFor();
  await hands.click(mia.locator('.dock textarea'));
  await say(mia, 'Hello Olive');
  await olive.getByText('Hello Olive').first().waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
}
