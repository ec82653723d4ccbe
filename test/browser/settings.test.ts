import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestClock } from '#kernel/clock';
import { openStore } from '#kernel/store';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const PASSWORD = 'roost-demo-password';

/** Lets all sessions be of log-ins long ago. */
async function ageSessions({ databaseUrl: url, dataDir }: TestDatabase): Promise<void> {
  const store = await openStore({ url, file: join(dataDir, 'roost.sqlite3'), clock: new TestClock() });
  await store.write((tx) => tx.db.updateTable('session').set({ confirmed_at: 0 }).where('id', '>', 0).execute());
  await store.close();
}

// One database: what differs between them lies below the API, and has its tests there.
describe.skipIf(!hasBrowser())('channels and settings in a browser', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let owner: Browser;
  let member: Browser;
  let olive: Page;
  let max: Page;

  beforeAll(async () => {
    database = await makeDatabase('sqlite');
    server = await startProcess(database, await freePort());
    [owner, member] = await Promise.all([
      openBrowser({ javaScriptEnabled: true }),
      openBrowser({ javaScriptEnabled: true, colorScheme: 'dark' }),
    ]);
    [olive, max] = await Promise.all([logIn(owner, 'owner@roost.test'), logIn(member, 'member@roost.test')]);
  });
  afterAll(async () => {
    await Promise.all([owner.close(), member.close()]);
    await server.kill('SIGKILL');
    await database.remove();
  });

  async function logIn(browser: Browser, email: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${server.url}/login/`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    return page;
  }
  const go = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(`#${hash}`)}`);

  it('makes a channel, which another joins, leaves, and may not change', async () => {
    await go(olive, 'channels/new');
    await olive.getByLabel('Name', { exact: true }).fill('gardening');
    await olive.getByRole('button', { name: 'Create channel' }).click();
    await olive.getByRole('heading', { level: 2, name: 'gardening' }).waitFor();
    await olive.getByRole('link', { name: 'General', exact: true }).click();
    const description = olive.getByLabel('Description');
    await description.fill('Things that grow');
    await description.blur();
    await olive.getByText('Saved').waitFor();
    await go(max, 'channels/available');
    await max.getByText('Things that grow').waitFor();
    await max.getByRole('button', { name: 'Join gardening' }).click();
    await max.getByRole('button', { name: 'Join gardening' }).waitFor({ state: 'detached' });
    await go(max, 'channels/subscribed');
    await max.getByRole('link', { name: 'gardening Things that grow' }).click();
    expect(await max.getByLabel('Description').isDisabled()).toBe(true);
    await max.getByText('Can be changed by: people who administer this channel.').first().waitFor();
    await max.getByRole('link', { name: 'For me' }).click();
    await max.getByLabel('Pin to top').check();
    await max.getByText('Saved').waitFor();
    await max.getByRole('button', { name: 'Leave' }).click();
    await max.getByRole('button', { name: 'Join', exact: true }).waitFor();
  });

  it('takes what is typed as soon as the field is there', async () => {
    const account = await demoAccount(server, 'owner@roost.test');
    const { id } = await call(server, account, 'POST', '/channels/create', { name: 'at once', subscribers: [] });
    await go(olive, 'inbox');
    await olive.evaluate(`new Promise((done) => {
      new MutationObserver((_, observer) => {
        const field = document.querySelector('.set-sec textarea');
        if (!field) return;
        observer.disconnect();
        field.focus();
        field.value = 'Typed at once';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        done();
      }).observe(document.body, { childList: true, subtree: true });
      location.hash = '#channels/${id}/-/general';
    })`);
    await olive.getByLabel('Description').blur();
    await olive.getByText('Saved').waitFor();
    expect(await olive.getByLabel('Description').inputValue()).toBe('Typed at once');
  });

  it('speaks the language that its reader chooses, at once and at the next visit', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const speak = (code: string) => call(server, account, 'PATCH', '/settings', { default_language: code });
    onTestFinished(() => speak('en').then(() => undefined));
    const lang = (page: Page) => page.evaluate('document.documentElement.lang');
    await go(max, 'settings/preferences');
    const choice = max.getByLabel('Language');
    const clocks = (label: string) => max.getByLabel(label).locator('option').allTextContents();
    await expect.poll(() => clocks('Times')).toEqual(['17:00', '5:00 PM', 'Same as the system']);
    expect(await choice.locator('option').allTextContents()).toEqual(['English', 'Deutsch']);
    await choice.selectOption('de');
    await max.getByRole('heading', { name: 'Darstellung' }).waitFor();
    await max.getByRole('link', { name: 'Eingang' }).waitFor();
    expect(await lang(max)).toBe('de');
    expect(await clocks('Uhrzeiten')).toEqual(['17:00', 'Wie das System']);
    await max.reload();
    await max.getByRole('heading', { name: 'Darstellung' }).waitFor();
    await go(max, 'channels/new');
    const dialog = max.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('general');
    await dialog.getByRole('button', { name: 'Kanal erstellen' }).click();
    await dialog.locator('.field .err', { hasText: 'Einen Kanal mit dem Namen „general“ gibt es schon' }).waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await go(max, 'recent');
    await max.getByRole('heading', { name: /^Heute, \d+\. [A-ZÄÖÜ]/ }).waitFor();
    // With the clock that everybody begins with, which is that of English.
    const times = () => max.locator('main time').allTextContents();
    expect((await times())[0]).toMatch(/^\d\d:\d\d$/);
    // The browser stores the texts of a language for its readers only.
    const stored = (page: Page) =>
      page.evaluate(
        `caches.open('shell').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url).join())`,
      );
    await expect.poll(() => stored(max)).toMatch(/\/german-\w+\.js/);
    await expect.poll(() => stored(olive)).toContain('/web/main-');
    expect(await stored(olive)).not.toContain('german');
    // Others keep their language, and one that the client does not have is shown in English.
    expect(await lang(olive)).toBe('en');
    const langOfTexts = max.evaluate(`new Promise((tell) => {
      const look = (_, seen) => {
        if (!document.body.textContent.includes('Recent conversations')) return;
        seen.disconnect();
        tell(document.documentElement.lang);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    })`);
    await speak('fr');
    await max.getByRole('heading', { name: 'Recent conversations' }).waitFor();
    expect((await times())[0]).toMatch(/ [ap]m$/);
    // A screen reader may read the texts as soon as they are there.
    expect(await langOfTexts).toBe('en');
    await go(max, 'settings/preferences');
    const options = max.getByLabel('Language').locator('option');
    await expect.poll(() => options.allTextContents()).toEqual(['English', 'Deutsch', 'Français']);
    await max.getByLabel('Language').selectOption('en');
    await max.getByText('Saved').waitFor();
  });

  it('sets a status by a preset and in own words, which others see, and clears it', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const status = async () =>
      (await call(server, account, 'GET', `/users/${account.user_id}/status`)) as { readonly status: object };
    await go(max, 'settings/profile');
    await max.getByRole('button', { name: 'On vacation' }).click();
    await expect
      .poll(async () => (await status()).status)
      .toMatchObject({
        status_text: 'On vacation',
        emoji_name: 'palm_tree',
      });
    const words = max.getByLabel('What you are doing');
    await expect.poll(() => words.inputValue()).toBe('On vacation');
    await words.fill('at the lake <b>');
    await words.blur();
    await expect.poll(async () => (await status()).status).toMatchObject({ status_text: 'at the lake <b>' });
    const said = { type: 'channel', to: 'design', topic: 'status', content: 'back on Monday' };
    await call(server, account, 'POST', '/messages', said);
    await go(olive, 'narrow/channel/2-design/topic/status');
    await olive.getByRole('button', { name: 'Max Member', exact: true }).first().click();
    const card = olive.getByRole('dialog', { name: 'Max Member' });
    await card.getByText('at the lake <b>').waitFor();
    await card.getByRole('button', { name: 'Message' }).click();
    const head = olive.locator('header.head');
    await olive.getByRole('heading', { level: 1, name: 'Max Member' }).waitFor();
    await head.getByText('at the lake <b>').waitFor();
    await max.getByRole('button', { name: 'Clear status' }).click();
    await expect.poll(async () => (await status()).status).toEqual({});
    await head.getByText('at the lake <b>').waitFor({ state: 'detached' });
  });

  it('adds the people of a group to a channel who are not in it yet', async () => {
    const account = await demoAccount(server, 'owner@roost.test');
    const idOf = async (email: string) =>
      (await call(server, account, 'GET', `/users/${email}`))['user']['user_id'] as number;
    const members = await Promise.all(['owner@roost.test', 'member@roost.test', 'guest@roost.test'].map(idOf));
    await call(server, account, 'POST', '/user_groups/create', { name: 'seed keepers', description: '', members });
    await go(olive, 'channels/new');
    await olive.getByLabel('Name', { exact: true }).fill('seeds');
    await olive.getByRole('button', { name: 'Create channel' }).click();
    await olive.getByRole('heading', { level: 2, name: 'seeds' }).waitFor();
    const seeds = (await call(server, account, 'GET', '/get_stream_id?stream=seeds'))['stream_id'];
    await go(olive, `channels/${seeds}/seeds/subscribers`);
    await olive.getByLabel('or a group, to add').fill('seed keepers');
    await olive.getByText('2 people who are not here yet').waitFor();
    await olive.getByRole('button', { name: 'Add seed keepers' }).click();
    const there = async () => (await call(server, account, 'GET', `/streams/${seeds}/members`))['subscribers'];
    await expect.poll(there).toEqual(members.toSorted((a, b) => a - b));
    await olive.getByLabel('or a group, to add').fill('seed keepers');
    await olive.getByText('Nobody has that name.').waitFor();
  });

  it('has messages of a channel call a bot by words, until the rule is removed', async () => {
    await go(olive, 'channels/1/-/rules');
    const owner = await demoAccount(server, 'owner@roost.test');
    const add = olive.getByRole('button', { name: 'Add a rule' });
    await add.click();
    const dialog = olive.getByRole('dialog', { name: 'Add a rule' });
    // A bot is made with the rule, for who has none.
    await dialog.getByLabel('Address').fill('https://crane.example.org/');
    await dialog.getByLabel('Name').fill('Crane');
    await dialog.getByLabel('Words', { exact: true }).fill('lift, load ,');
    expect((await inspect(olive)).found).toEqual([]);
    await dialog.getByRole('button', { name: 'Add a rule' }).click();
    await olive.getByText('Messages with one of: lift, load').waitFor();
    const listed = async () => (await call(server, owner, 'GET', '/streams/1/rules'))['channel_rules'];
    const [rule, ...more] = await listed();
    expect(more).toEqual([]);
    expect(rule).toMatchObject({ words: ['lift', 'load'], pattern: null });
    const { user } = await call(server, owner, 'GET', `/users/${rule.bot_id}`);
    expect(user).toMatchObject({ full_name: 'Crane', bot_type: 3, bot_owner_id: owner.user_id });
    await add.click();
    await dialog.getByLabel('Match by').selectOption('Regular expression');
    await dialog.getByLabel('Regular expression', { exact: true }).fill('(');
    await dialog.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.locator('.err').waitFor();
    await olive.keyboard.press('Escape');
    await go(max, 'channels/1/-/rules');
    await max.getByText('Messages with one of: lift, load').waitFor();
    expect(await max.getByRole('button', { name: 'Add a rule' }).isDisabled()).toBe(true);
    await olive.getByRole('button', { name: /^Remove/ }).click();
    await olive
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await olive.getByText('No rules yet.').waitFor();
    expect(await listed()).toEqual([]);
  });

  it('says what the server says when it refuses, and shows the state as it was', async () => {
    await go(olive, 'channels/1/-/general');
    const name = olive.getByLabel('Name', { exact: true });
    await name.fill('design');
    await name.press('Enter');
    await olive.getByRole('alert').getByText('already').waitFor();
    await name.press('Escape');
    expect(await name.inputValue()).toBe('general');
    await go(olive, 'organization/users/active');
    const role = olive.getByLabel('Role of Olive Owner');
    await role.selectOption('Member');
    await olive.locator('.err').first().waitFor();
    expect(await role.inputValue()).toBe('100');
  });

  it('makes an invitation link, shows it with its terms, and takes it back', async () => {
    await go(olive, 'organization/invites');
    await olive.getByRole('button', { name: 'Create a link' }).click();
    const link = await olive.getByLabel('The new link').inputValue();
    expect((await fetch(link)).status).toBe(200);
    await olive.getByText('Link for anybody').waitFor();
    await olive.getByRole('button', { name: 'Revoke Link for anybody' }).click();
    await olive.getByText('No open invitations.').waitFor();
    expect((await fetch(link)).status).not.toBe(200);
  });

  it('deactivates and reactivates somebody', async () => {
    await go(olive, 'organization/users/active');
    const role = olive.getByLabel('Role of Gus Guest');
    await role.focus();
    await role.selectOption({ label: 'Member' });
    await olive.getByText('Gus Guest is now').waitFor();
    expect(await olive.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Role of Gus Guest');
    await role.selectOption({ label: 'Guest' });
    await olive.getByRole('button', { name: /^Deactivate Gus/ }).click();
    await olive.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await go(olive, 'organization/users/deactivated');
    await olive.getByRole('button', { name: /^Reactivate Gus/ }).click();
    await olive.getByRole('button', { name: /^Reactivate Gus/ }).waitFor({ state: 'detached' });
  });

  it('offers an administrator nothing that only an owner may, and a guest no invitations', async () => {
    const { user_id } = await demoAccount(server, 'member@roost.test');
    const owner = await demoAccount(server, 'owner@roost.test');
    const become = (role: number) => call(server, owner, 'PATCH', `/users/${user_id}`, { role });
    const invite = max.locator('main').getByRole('link', { name: 'Invite people' });
    await go(max, 'organization/users/active');
    await invite.waitFor();
    await become(600);
    await invite.waitFor({ state: 'detached' });
    await become(200);
    const role = max.getByLabel('Role of Mia Member');
    await role.waitFor();
    expect(await role.getByRole('option').allTextContents()).toEqual(['Administrator', 'Moderator', 'Member', 'Guest']);
    expect(await max.getByLabel('Role of Olive Owner').count()).toBe(0);
    expect(await max.getByRole('button', { name: 'Deactivate Olive Owner' }).count()).toBe(0);
    await become(400);
    await role.waitFor({ state: 'detached' });
  });

  it('lists the files that one has uploaded, with the messages that have them, and deletes one', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const form = new FormData();
    form.append('file', new Blob(['x'.repeat(1536)], { type: 'text/plain' }), 'nest plan.txt');
    const authorization = `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}`;
    const uploaded = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    const { url } = (await uploaded.json()) as { url: string };
    await call(server, account, 'POST', '/messages', { type: 'direct', to: '[8]', content: `[nest plan](${url})` });
    await go(max, 'settings/uploaded-files');
    const row = max.locator('.rows > li', { hasText: 'nest plan.txt' });
    await row.getByText('1.5 kB').waitFor();
    await max.getByText(/All files of the organization take/).waitFor();
    expect((await inspect(max, '.set-main')).found).toEqual([]);
    await row.getByRole('link', { name: 'in 1 message' }).click();
    await max.locator('main article', { hasText: 'nest plan' }).waitFor();
    await go(max, 'settings/uploaded-files');
    await row.getByRole('button', { name: 'Delete nest plan.txt' }).click();
    await max.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await max.getByText('You have uploaded nothing yet.').waitFor();
  });

  it('changes what is one’s own, at once and at the server', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    await go(max, 'settings/preferences');
    await max.getByText('Light', { exact: true }).click();
    await expect.poll(() => max.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await max.getByLabel('Enter sends').check();
    await max.getByText('Saved').waitFor();
    await go(max, 'settings/alert-words');
    await max.getByLabel('Word or phrase').fill('rhubarb');
    await max.getByRole('button', { name: 'Add', exact: true }).click();
    await max.getByRole('button', { name: 'Remove rhubarb' }).waitFor();
    await go(max, 'settings/notifications');
    await max.getByLabel('Topics I follow: Mail').uncheck();
    const settings = async () => {
      const state = await call(server, account, 'POST', '/register', { fetch_event_types: ['user_settings'] });
      return state['user_settings'] as Record<string, unknown>;
    };
    await expect
      .poll(settings)
      .toMatchObject({ color_scheme: 3, enter_sends: true, enable_followed_topic_email_notifications: false });
    await go(max, 'settings/account-and-privacy');
    await max.getByRole('button', { name: 'Show the key' }).click();
    const asked = max.getByRole('dialog', { name: 'Confirm that it is you' });
    await ageSessions(database);
    await max.getByRole('dialog').getByRole('button', { name: 'Show the key' }).click();
    await asked.getByLabel('Password').fill('wrong');
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await asked.getByRole('alert').waitFor();
    expect((await inspect(max, 'dialog[open]')).found).toEqual([]);
    await asked.getByLabel('Password').fill(PASSWORD);
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await expect.poll(() => max.getByLabel('API key').last().inputValue()).toBe(account.api_key);
    await max.keyboard.press('Escape');
    await max.getByRole('button', { name: 'Create an app password' }).click();
    await max.getByLabel('Name').fill('Old phone');
    await max.getByRole('dialog').getByRole('button', { name: 'Create an app password' }).click();
    const password = await max.getByRole('textbox', { name: 'App password' }).inputValue();
    await max.getByRole('button', { name: 'I have saved it' }).click();
    const given = await call(server, account, 'POST', '/fetch_api_key', { username: account.email, password });
    expect(given['user_id']).toBe(account.user_id);
    await max.getByText('Old phone').waitFor();
    await max.getByRole('button', { name: 'Revoke Old phone' }).click();
    await max.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await max.getByText('There are none yet.').waitFor();
  });

  it('says why one cannot join a group, and keeps its page in shape, also on a phone', async () => {
    const account = await demoAccount(server, 'owner@roost.test');
    const fields = { name: 'crow watchers', description: '', members: [] };
    const { group_id } = await call(server, account, 'POST', '/user_groups/create', fields);
    const msg = 'Only administrators can add to groups that have 50000 members and subgroups in all.';
    await olive.route('**/user_groups/*/members', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg } }),
    );
    const before = olive.viewportSize();
    for (const width of [390, 1200]) {
      await olive.setViewportSize({ width, height: 800 });
      await go(olive, `groups/${group_id}/-/members`);
      await olive.getByRole('button', { name: 'Join' }).click();
      const refusal = olive.getByText(msg);
      await refusal.waitFor();
      expect((await refusal.boundingBox())?.x).toBeGreaterThan(0);
      // Neither is scrolled aside to show it, nor is the name broken within.
      expect((await olive.locator('.set-main .tabs a').first().boundingBox())?.x).toBeGreaterThan(0);
      if (width > 1000) expect((await olive.locator('.ch-head h2').boundingBox())?.height).toBeLessThan(50);
      await olive.locator('.toast').getByRole('button').first().click();
      await refusal.waitFor({ state: 'detached' });
    }
    await olive.unroute('**/user_groups/*/members');
    if (before) await olive.setViewportSize(before);
  });

  it('makes a group, gives it a permission, and takes it away again, from the keyboard', async () => {
    await go(olive, 'groups/new');
    await olive.getByRole('dialog').getByLabel('Name').fill('gardeners');
    await olive.getByRole('dialog').getByLabel('Name').press('Enter');
    await olive.getByRole('heading', { level: 2, name: 'gardeners' }).waitFor();
    await olive.getByRole('button', { name: 'Add members' }).press('Enter');
    await olive.getByLabel('Find a group or a person').fill('max');
    await olive.keyboard.press('Enter');
    await olive.getByRole('button', { name: 'Remove Max Member' }).waitFor();
    // The other hears of it, and may leave but not manage.
    await go(max, 'groups/your');
    await max.getByRole('link', { name: /^gardeners/ }).click();
    expect(await max.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    await go(olive, 'channels/1/-/permissions');
    const posting = olive.getByRole('group', { name: 'Post' });
    await posting.getByRole('button', { name: 'Remove Everyone' }).press('Enter');
    await posting.getByText('Nobody').waitFor();
    await posting.getByRole('button', { name: 'Add' }).press('Enter');
    await olive.getByLabel('Find a group or a person').fill('gard');
    await olive.keyboard.press('Enter');
    await posting.getByText('gardeners').waitFor();
    const account = await demoAccount(server, 'owner@roost.test');
    const { user_groups } = await call(server, account, 'GET', '/user_groups');
    const made = (user_groups as { id: number; name: string }[]).find(({ name }) => name === 'gardeners');
    const channel = await call(server, account, 'GET', '/streams/1');
    expect(channel['stream']).toMatchObject({ can_send_message_group: made?.id });
    await go(max, 'channels/1/-/permissions');
    expect(await max.getByRole('group', { name: 'Post' }).getByRole('button').count()).toBe(0);
    // What depends on a group keeps it in use; the server says so.
    await go(olive, `groups/${made?.id}/-/general`);
    await olive.getByRole('button', { name: 'Deactivate group' }).click();
    await olive.getByRole('dialog').getByRole('button', { name: 'Deactivate group' }).click();
    await olive.getByRole('dialog').getByRole('alert').waitFor();
    await olive.keyboard.press('Escape');
  });

  it('adds what the organization has of its own, and takes it away', async () => {
    const dialog = olive.getByRole('dialog');
    await go(olive, 'organization/linkifier-settings');
    await olive.getByRole('button', { name: 'Add linkifier' }).click();
    await dialog.getByLabel('Pattern').fill('#(?P<id>[0-9]+)');
    await dialog.getByLabel('Address').fill('https://example.com/{other}');
    await dialog.getByRole('button', { name: 'Add linkifier' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Address').fill('https://example.com/{id}');
    await dialog.getByRole('button', { name: 'Add linkifier' }).click();
    await olive.getByText('https://example.com/{id}').waitFor();
    await go(olive, 'organization/profile-field-settings');
    for (const label of ['Team', 'Pets']) {
      await olive.getByRole('button', { name: 'Add field' }).click();
      await dialog.getByLabel('Label').fill(label);
      await dialog.getByRole('button', { name: 'Add field' }).click();
      await olive.getByRole('button', { name: `Edit ${label}` }).waitFor();
    }
    await olive.getByRole('button', { name: 'Move Pets up' }).click();
    await expect.poll(() => olive.locator('.rows b').allTextContents()).toEqual(['Pets ', 'Team ']);
    await olive.getByRole('button', { name: 'Remove Team' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => olive.locator('.rows b').allTextContents()).toEqual(['Pets ']);
    await go(olive, 'organization/channel-folders');
    await olive.getByRole('button', { name: 'Add folder' }).click();
    await dialog.getByLabel('Name').fill('Projects');
    await dialog.getByRole('button', { name: 'Add folder' }).click();
    await olive.getByText('0 channels').waitFor();
    await go(olive, 'channels/1/-/general');
    await olive.getByLabel('Folder').selectOption({ label: 'Projects' });
    await go(olive, 'organization/channel-folders');
    await olive.getByText('1 channel', { exact: true }).waitFor();
    await go(max, 'organization/linkifier-settings');
    expect(await max.getByRole('button', { name: 'Add linkifier' }).getAttribute('aria-disabled')).toBe('true');
    expect(await max.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('makes a bot, and hands over the file that programs read', async () => {
    await go(max, 'settings/your-bots');
    await max.getByRole('button', { name: 'Add bot' }).click();
    await max.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Helper');
    await max.getByRole('dialog').getByLabel('Short name').fill('helper');
    await max.getByRole('dialog').getByRole('button', { name: 'Add bot' }).click();
    await max.getByRole('button', { name: 'Key of Helper' }).click();
    expect(await max.getByLabel('Key', { exact: true }).count()).toBe(0);
    await max.getByRole('button', { name: 'Show the key' }).click();
    const key = await max.getByLabel('Key', { exact: true }).inputValue();
    const [file] = await Promise.all([
      max.waitForEvent('download'),
      max.getByRole('button', { name: 'Download zuliprc' }).click(),
    ]);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text).toBe(`[api]\nemail=helper-bot@localhost\nkey=${key}\nsite=${server.url}\n`);
    const credentials = Buffer.from(`helper-bot@localhost:${key}`).toString('base64');
    const own = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: `Basic ${credentials}` } });
    expect(await own.json()).toMatchObject({ full_name: 'Helper', is_bot: true });
    await max.keyboard.press('Escape');
  });

  it('puts the address of an incoming webhook together, which a service then posts to', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const bot = { full_name: 'Courier', short_name: 'courier', bot_type: 2 };
    expect(await call(server, account, 'POST', '/bots', bot)).toMatchObject({ result: 'success' });
    await go(max, 'settings/your-bots');
    await max.getByRole('button', { name: 'Address of Courier' }).click();
    const dialog = max.getByRole('dialog', { name: 'Address of Courier' });
    await dialog.getByLabel('Service').selectOption('github');
    await dialog.getByLabel('Messages go to').selectOption({ label: '#general' });
    await dialog.getByLabel('Topic').fill('builds');
    await dialog.getByLabel('Only these branches').fill('main');
    await dialog.getByText('All events').click();
    await dialog.getByLabel('push', { exact: true }).check();
    await dialog.getByText('Events: 1').waitFor();
    expect((await inspect(max)).found).toEqual([]);
    const address = await dialog.getByLabel('Address', { exact: true }).inputValue();
    const post = (event: string) =>
      fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-github-event': event },
        body: JSON.stringify({
          zen: 'Keep it simple.',
          ref: 'refs/heads/main',
          commits: [],
          repository: { name: 'boats' },
          sender: { login: 'mia' },
        }),
      });
    expect((await post('push')).status).toBe(200);
    expect((await post('ping')).status).toBe(200);
    const narrow = JSON.stringify([['topic', 'builds']]);
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
    const { messages } = await call(server, account, 'GET', '/messages', page);
    expect(messages.map(({ sender_full_name }: { sender_full_name: string }) => sender_full_name)).toEqual(['Courier']);
    await max.keyboard.press('Escape');
  });

  it('cuts a picture to a square, and fills in what the organization asks for', async () => {
    const account = await demoAccount(server, 'owner@roost.test');
    const choices = { tea: { text: 'Tea', order: '1' }, mate: { text: 'Mate', order: '2' } };
    const field = { name: 'Drink', field_type: 3, field_data: JSON.stringify(choices) };
    const { id } = await call(server, account, 'POST', '/realm/profile_fields', field);
    await go(max, 'settings/profile');
    await max.getByLabel('Drink').selectOption({ label: 'Mate' });
    await max.getByText('Saved').waitFor();
    const wide = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#00f' } })
      .composite([{ input: { create: { width: 100, height: 100, channels: 3, background: '#f00' } }, left: 0, top: 0 }])
      .png()
      .toBuffer();
    await max.locator('input[type=file]').setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: wide });
    const dialog = max.getByRole('dialog', { name: 'Crop the picture' });
    await dialog.getByLabel('From left to right').press('Home');
    expect((await inspect(max)).found).toEqual([]);
    await dialog.getByRole('button', { name: 'Use this picture' }).click();
    await dialog.waitFor({ state: 'detached' });
    const me = await demoAccount(server, 'member@roost.test');
    const { user } = await call(server, account, 'GET', `/users/${me.user_id}`, {
      include_custom_profile_fields: true,
    });
    const shown = user as { avatar_url: string; profile_data: Record<string, { value: string }> };
    expect(shown.profile_data[String(id)]?.value).toBe('mate');
    const picture = Buffer.from(await (await fetch(new URL(shown.avatar_url, server.url))).arrayBuffer());
    const { dominant } = await sharp(picture).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(60);
  });

  it('invites into further channels, and sends an invitation again', async () => {
    await go(olive, 'organization/invites');
    await olive
      .getByRole('group', { name: 'Additional channels' })
      .last()
      .getByRole('button', { name: 'Add' })
      .press('Enter');
    await olive.getByLabel('Find a channel').fill('lounge');
    await olive.keyboard.press('Enter');
    await olive.getByRole('button', { name: 'Remove lounge' }).waitFor();
    await olive.getByLabel('Email addresses').fill('nina@roost.test');
    await olive.getByRole('button', { name: 'Send invitations' }).click();
    const again = olive.getByRole('button', { name: 'Send the invitation of nina@roost.test again' });
    await again.press('Enter');
    await expect.poll(() => again.textContent()).toBe('Sent.');
    await olive.getByRole('button', { name: 'Revoke nina@roost.test' }).click();
    await again.waitFor({ state: 'detached' });
  });

  it('leaves only those in the field of addresses who were not invited with the others', async () => {
    await go(olive, 'organization/invites');
    const field = olive.getByLabel('Email addresses');
    await field.fill('nora@roost.test, member@roost.test');
    await olive.getByRole('button', { name: 'Send invitations' }).click();
    await olive.getByRole('alert').getByText('already using').waitFor();
    const revoke = olive.getByRole('button', { name: 'Revoke nora@roost.test' });
    await revoke.waitFor();
    expect(await field.inputValue()).toBe('member@roost.test');
    await field.fill('');
    await revoke.click();
    await revoke.waitFor({ state: 'detached' });
  });
});
