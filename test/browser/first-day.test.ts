import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { databases, databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { type Mood, MoodyMailServer } from '../support/moody-mail-server.ts';
import { refusedCommand, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const PASSWORD = 'three nests in the north tower';
/** Milliseconds in which a mail leaves, a try after the first included. */
const MAIL_MS = 30_000;

describe.skipIf(!hasBrowser()).each(databases)('the first day on %s', (name) => {
  let database: TestDatabase;
  let mails: MoodyMailServer;
  let server: ServerProcess;
  let olive: Browser;
  let others: Browser;
  let environment: Record<string, string>;

  beforeAll(async () => {
    database = await makeDatabase(name);
    mails = await MoodyMailServer.open();
    environment = { ROOST_SMTP_URL: mails.url, ROOST_MAIL_FROM: 'Rookery <chat@roost.test>' };
    server = await startProcess(database, 0, environment, 'serve');
    [olive, others] = await Promise.all([
      openBrowser({ javaScriptEnabled: true }),
      openBrowser({ javaScriptEnabled: true }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([olive.close(), others.close()]);
    await server.kill('SIGTERM');
    await mails.close();
    await database.remove();
  });

  const here = (link: string) => new URL(new URL(link).pathname, server.url).href;
  const run = (...command: string[]) => runCommand(database, command, { environment });
  const refused = (...command: string[]) => refusedCommand(database, command, { environment });
  const heading = (page: Page) => page.getByRole('heading', { level: 1 });
  const invitationTo = async (address: string) => {
    await expect.poll(() => mails.to(address).length, { timeout: MAIL_MS }).toBe(1);
    return here(/http:\S+do_confirm\/[a-z2-7]{24}/.exec(mails.to(address)[0] ?? '')?.[0] ?? '');
  };
  const say = async (page: Page, text: string) => {
    await page.locator('.dock textarea').fill(text);
    await page.keyboard.press('Control+Enter');
  };
  /** Somebody follows an invitation, and is in the client. */
  async function join(link: string, fullName: string): Promise<Page> {
    const page = await others.context.newPage();
    await page.goto(link);
    await page.getByLabel('Your name').fill(fullName);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    return page;
  }

  it('goes in a browser from the link that the server prints to an answer of a colleague who was invited by mail', async () => {
    const page = await olive.context.newPage();
    await page.goto(here(/https?:\S+\/new\/\S+/.exec(server.output())?.[0] ?? ''));
    await page.getByLabel('Name of the organization').fill('Rookery');
    await page.getByLabel('Your name').fill('Olive Owner');
    await page.getByLabel('Your email address').fill('olive@roost.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await heading(page).textContent()).toBe('Rookery is ready');
    await page.getByLabel('Email addresses').fill('nina@roost.test');
    await page.getByRole('button', { name: 'Send the invitations' }).click();
    expect(await page.getByRole('status').textContent()).toContain('were sent');
    await page.getByRole('link', { name: 'Open the client' }).click();
    const nina = await join(await invitationTo('nina@roost.test'), 'Nina New');
    await page.getByRole('button', { name: 'New direct message' }).first().click();
    await page.getByRole('dialog').getByRole('combobox').fill('Nina');
    await page.keyboard.press('Enter');
    await say(page, 'Hello Nina');
    const conversations = nina.getByRole('navigation', { name: 'Conversations' });
    await conversations.getByRole('link', { name: /Olive Owner/ }).click();
    await nina.getByText('Hello Nina').first().waitFor();
    await say(nina, 'Hello Olive');
    await page.getByText('Hello Olive').first().waitFor();
    await nina.close();
  });

  it('goes by commands from the same server to a person who was invited by one', async () => {
    expect(await run('mail', 'test', 'olive@roost.test')).toBe('the mail server took the mail for olive@roost.test\n');
    expect((await refused('doctor')).said).toMatch(/^ok {4}mail +127\.0\.0\.1 takes mails from chat@roost\.test/m);
    expect(await run('invite', '--emails=mia@roost.test')).toBe('invited 1\n');
    const mia = await join(await invitationTo('mia@roost.test'), 'Mia Member');
    await mia.close();
    const people: { email: string; active: boolean }[] = JSON.parse(await run('user', 'list', '--json'));
    expect(people.map(({ email }) => email)).toEqual(['olive@roost.test', 'nina@roost.test', 'mia@roost.test']);
    expect(await run('channel', 'list')).toMatch(/general[^]*random[^]*sandbox/);
  });

  // What becomes of mails is the same on both.
  describe.runIf(databasesInTurn(import.meta.url).includes(name))('where the mail server', () => {
    const inMood = async <T>(mood: Mood, work: () => Promise<T>): Promise<T> => {
      mails.mood = mood;
      try {
        return await work();
      } finally {
        mails.mood = 'accepts';
      }
    };
    const listed = async (): Promise<{ kind: string; tries: number; refused: boolean }[]> =>
      JSON.parse(await run('jobs', 'list', '--json'));
    const outcomes = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      const found = metrics.matchAll(/^roost_mails_total\{outcome="(\w+)"\} (\d+)$/gm);
      return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]));
    };

    it('greylists, a mail is sent again and arrives', async () => {
      // Mails of the steps before are still on their way.
      await expect.poll(listed).toEqual([]);
      const before = await outcomes();
      await inMood('greylists', async () => {
        await run('invite', '--emails=grey@roost.test');
        await invitationTo('grey@roost.test');
      });
      expect(await outcomes()).toMatchObject({ later: (before['later'] ?? 0) + 1, sent: (before['sent'] ?? 0) + 1 });
      expect(await listed()).toEqual([]);
    });

    it.each([
      ['refuses the sender', /553.*this sender is not yours/],
      ['refuses the recipient', /550.*nobody has this address/],
    ] as const)(
      '%s, the command and the doctor say so, and a mail is given up at once and listed',
      async (mood, says) => {
        const before = [(await listed()).length, (await outcomes())['refused'] ?? 0] as const;
        await inMood(mood, async () => {
          const test = await refused('mail', 'test', 'olive@roost.test');
          expect(test.code).toBe(1);
          expect(test.said.trim().split('\n')).toEqual([expect.stringMatching(says)]);
          expect((await refused('doctor')).said).toMatch(
            new RegExp(`^FAIL {2}mail +127\\.0\\.0\\.1 takes no mail.*${says.source}`, 'm'),
          );
          const address = `${mood.replaceAll(' ', '-')}@roost.test`;
          await run('invite', `--emails=${address}`);
          await expect.poll(async () => (await listed()).length, { timeout: MAIL_MS }).toBe(before[0] + 1);
          expect(mails.to(address)).toEqual([]);
        });
        expect((await listed())[0]).toMatchObject({ kind: 'mail', tries: 1, refused: true });
        expect((await outcomes())['refused']).toBe(before[1] + 1);
      },
    );

    it('vanishes in the middle, a mail waits and arrives when it is back', async () => {
      const before = (await outcomes())['later'] ?? 0;
      await inMood('vanishes', async () => {
        const test = await refused('mail', 'test', 'olive@roost.test');
        expect([test.code, test.said.trim().split('\n').length]).toEqual([1, 1]);
        expect((await refused('doctor')).said).toMatch(/^FAIL {2}mail +127\.0\.0\.1 takes no mail/m);
        await run('invite', '--emails=late@roost.test');
        await expect.poll(async () => (await outcomes())['later'] ?? 0, { timeout: MAIL_MS }).toBeGreaterThan(before);
        expect(mails.to('late@roost.test')).toEqual([]);
      });
      await invitationTo('late@roost.test');
    });
  });
});
