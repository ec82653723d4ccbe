import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from './browser.ts';
import { type DatabaseName, makeDatabase } from './databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from './process.ts';

const PASSWORD = 'roost-demo-password';
export type Person = 'owner' | 'admin' | 'moderator' | 'member' | 'member2' | 'guest';

/** A browser whose requests all go by `page.route`, which those of a page with a service worker sometimes do not. */
export const INTERCEPTED = { serviceWorkers: 'block' } as const;

/** A server process with the demo organization, and browsers that are logged in to it. */
export class DemoPages {
  /** The data folder and database, for commands. */
  readonly place: Awaited<ReturnType<typeof makeDatabase>>;
  readonly #port: number;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #browsers: Browser[] = [];
  /** Exceptions of pages, and violations of the content security policy. */
  readonly complaints: string[] = [];
  server: ServerProcess;

  private constructor(
    database: Awaited<ReturnType<typeof makeDatabase>>,
    port: number,
    environment: Readonly<Record<string, string>>,
    server: ServerProcess,
  ) {
    this.place = database;
    this.#port = port;
    this.#environment = environment;
    this.server = server;
  }

  static async open(name: DatabaseName = 'sqlite', environment: Readonly<Record<string, string>> = {}) {
    const [database, port] = [await makeDatabase(name), await freePort()];
    return new DemoPages(database, port, environment, await startProcess(database, port, environment));
  }

  /** Starts another server on the same database and port, after the previous one has ended. */
  async restart(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    this.server = await startProcess(this.place, this.#port, { ...this.#environment, ...environment });
  }

  /** Opens a new browser in which a person is logged in, with the client. */
  async logIn(person: Person, options: Parameters<typeof openBrowser>[0] = {}): Promise<Page> {
    const browser = await openBrowser({ javaScriptEnabled: true, ...options });
    this.#browsers.push(browser);
    return this.openTab(browser, person);
  }

  /** Opens a tab in a browser; logs in where nobody is. */
  async openTab({ context }: Pick<Browser, 'context'>, person: Person): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      if (/Content Security Policy|TrustedHTML/.test(line.text())) this.complaints.push(line.text());
    });
    await page.goto(`${this.server.url}/login/`);
    if (page.url().includes('login')) {
      // The page may be in another language.
      await page.locator('[name=username]').fill(`${person}@roost.test`);
      await page.locator('[name=password]').fill(PASSWORD);
      await page.locator('[name=password]').press('Enter');
    }
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    return page;
  }

  /** Calls the API as a person, without the client. */
  async call(person: Person, method: string, path: string, fields: Readonly<Record<string, unknown>> = {}) {
    return call(this.server, await demoAccount(this.server, `${person}@roost.test`), method, path, fields);
  }

  /** Sends a message to a topic without the client; returns its ID. */
  async send(person: Person, channelId: number, topic: string, content: string): Promise<number> {
    const sent = await this.call(person, 'POST', '/messages', {
      type: 'stream',
      to: String(channelId),
      topic,
      content,
    });
    return Number(sent['id']);
  }

  /** Returns the messages of a topic as a member sees them, the oldest first. */
  async topic(channelId: number, topic: string): Promise<readonly ShownMessage[]> {
    const narrow = [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ];
    const range = { narrow, anchor: 'oldest', num_before: 0, num_after: 1000, apply_markdown: false };
    return (await this.call('member', 'GET', '/messages', range))['messages'] as readonly ShownMessage[];
  }

  async close(): Promise<void> {
    await Promise.all(this.#browsers.map((browser) => browser.close()));
    await this.server.kill('SIGKILL');
    await this.place.remove();
  }
}

export interface ShownMessage {
  readonly id: number;
  readonly content: string;
  readonly reactions: readonly { readonly emoji_name: string }[];
  readonly flags: readonly string[];
}

/** Opens an address of the client, and waits for its heading. */
export async function goTo(page: Page, hash: string, heading?: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  if (heading !== undefined) await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}
