import type { Page } from 'playwright-core';
import type { Route } from '../../web/addresses/index.ts';
import { organizationPages, ownPages } from '../../web/views/manage/settings-pages.ts';
import type { Furnished } from './furnished.ts';

/** A state of the client's page: an address, and what is pressed there. */
export interface Screen {
  readonly name: string;
  readonly who: 'member' | 'owner';
  readonly hash: string;
  readonly open?: (page: Page) => Promise<unknown>;
  /** Whether it exists only in a wide window. */
  readonly isWide?: boolean;
}

/** Lists every view by its address; a new one without screens does not compile. */
export function views(found: Furnished): readonly Screen[] {
  return Object.values(screensOf(found)).flat();
}

function screensOf(found: Furnished): Readonly<Record<Route['view'], readonly Screen[]>> {
  const { topic, middle, longTopic, direct, engineering, group } = found;
  return {
    home: [member('home', '#')],
    inbox: [member('inbox', '#inbox')],
    recent: [member('recent', '#recent')],
    feed: [member('feed', '#feed')],
    narrow: [
      member('mentions', '#narrow/is/mentioned'),
      member('starred', '#narrow/is/starred'),
      member('reactions', '#narrow/has/reaction/sender/me'),
      member('direct-all', '#narrow/is/dm'),
      member('topic', topic),
      ...middle.map((hash, index) => member(`topic-middle-${index}`, hash)),
      member('topic-long', longTopic),
      member('topic-empty', `#narrow/channel/${engineering}/topic/nobody.20has.20written.20here`),
      member('direct', direct),
      member('channel', `#narrow/channel/${engineering}-engineering`),
      member('channel-long', `#narrow/channel/${engineering + 1}`),
      member('channel-unwritable', '#narrow/channel/3-announcements/topic/maintenance'),
      member('search', '#narrow/channels/public/search/lift/sender/7'),
      member('search-empty', '#narrow/search/nothingiscalledthat'),
      member('not-there', '#narrow/channel/999-gone/topic/x'),
    ],
    topics: [member('topics', `#topics/channel/${engineering}-engineering`)],
    drafts: [member('drafts', '#drafts')],
    scheduled: [member('scheduled', '#scheduled')],
    reminders: [member('reminders', '#reminders')],
    channels: [
      member('channels', '#channels'),
      member('channels-archived', '#channels/archived'),
      ...['general', 'permissions', 'subscribers', 'rules'].map((tab) => owner(`#channels/${engineering}/-/${tab}`)),
      member('channel-as-member', `#channels/${engineering}/-/general`),
      member('channel-personal', `#channels/${engineering}/-/personal`),
    ],
    groups: [
      owner('#groups'),
      ...['general', 'members', 'permissions'].map((tab) => owner(`#groups/${group}/-/${tab}`)),
    ],
    settings: [...ownPages().map(({ href }) => member(nameOf(href), href)), member('settings-index', '#settings')],
    organization: [
      ...organizationPages()
        .filter(({ href }) => href.startsWith('#organization/'))
        .map(({ href }) => owner(href)),
      owner('#organization/users/deactivated'),
      owner('#organization/users/7'),
      member('person-as-member', '#organization/users/7'),
      member('organization-as-member', '#organization/organization-permissions'),
    ],
    user: [member('user', '#user/7'), member('user-unknown', '#user/999999')],
    keyboard: [member('keyboard', '#keyboard-shortcuts')],
    about: [member('about', '#about-roost')],
  };
}

const nameOf = (hash: string) => hash.slice(1).replaceAll('/', '-');
const member = (name: string, hash: string): Screen => ({ name, who: 'member', hash });
const owner = (hash: string): Screen => ({ name: nameOf(hash), who: 'owner', hash });

/** Lists every dialog, menu and card, with the way to it. */
export function dialogs({
  newest: topic,
  mention,
  engineering,
  leadership,
  group,
  picture,
}: Furnished): readonly Screen[] {
  const on = (
    name: string,
    hash: string,
    open: (page: Page) => Promise<unknown>,
    who: Screen['who'] = 'member',
  ): Screen => ({ name, who, hash, open });
  const press =
    (...keys: string[]) =>
    async (page: Page) => {
      for (const key of keys) await page.keyboard.press(key);
    };
  const message = (words: string, key: string) => async (page: Page) => {
    await page.locator('main article', { hasText: words }).last().focus();
    await page.keyboard.press(key);
  };
  const fromMenu = (words: string, name: string | RegExp) => async (page: Page) => {
    await message(words, 'i')(page);
    await page.getByRole('menu').waitFor();
    // A phone has the rest behind it.
    const more = page.getByRole('menuitem', { name: 'More …' });
    if (await more.isVisible()) await more.click();
    await page.getByRole('menuitem', { name }).click();
  };
  const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
  const write = (text: string) => async (page: Page) => {
    await page.keyboard.press('c');
    await page.locator('.dock textarea').fill('');
    await page.locator('.dock textarea').pressSequentially(text);
  };
  return [
    on('palette', '#inbox', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('e');
    }),
    on('find', '#inbox', press('/')),
    on('keys', '#inbox', press('?')),
    on('about-roost', '#about-roost', async () => undefined),
    on('people', '#inbox', press('x')),
    { ...on('organization-menu', '#inbox', (page) => page.locator('.left .org').first().click()), isWide: true },
    on('composer', topic, press('c')),
    on('composer-people', topic, write('Hello @')),
    on('composer-channels', topic, write('see #e')),
    on('composer-emoji', topic, write(':ro')),
    on('composer-commands', topic, write('/')),
    on('composer-preview', topic, async (page) => {
      await write('**bold** and `code`\n\n* a list')(page);
      await page
        .getByRole('button', { name: /review/ })
        .first()
        .click();
    }),
    on('composer-everybody', topic, write('@**all** look')),
    on('composer-channel-picker', topic, press('c', 'Shift+Tab', 'Shift+Tab', 'ArrowDown')),
    on('composer-topic-picker', topic, press('c', 'Shift+Tab', 'Control+a')),
    on('composer-emoji-picker', topic, async (page) => {
      await page.keyboard.press('c');
      await page.locator('.dock').getByRole('button', { name: /emoji/i }).first().click();
    }),
    on('composer-later', topic, async (page) => {
      await write('later')(page);
      await page.getByRole('button', { name: 'Send later' }).click();
    }),
    on('composer-later-exactly', topic, async (page) => {
      await write('later')(page);
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByRole('menuitem', { name: /Choose/ }).click();
    }),
    on('reschedule', '#scheduled', button('Change the time')),
    on('composer-snippets', topic, async (page) => {
      await write('a text')(page);
      await page
        .locator('.dock')
        .getByRole('button', { name: /snippet/i })
        .click();
    }),
    on('message-menu', topic, message('could you have a look', 'i')),
    on('message-react', topic, message('could you have a look', ':')),
    on('message-edit', topic, message('this is mine', 'e')),
    on('message-move', topic, message('this is mine', 'm')),
    on('message-history', topic, message('This was written at', 'Shift+H')),
    on('message-receipts', topic, message('This was written at', 'Shift+V')),
    on('message-forward', topic, message('could you have a look', 'f')),
    on('message-remind', topic, fromMenu('could you have a look', /Remind/)),
    on('message-deleted', topic, message('this is mine', 'Delete')),
    on('message-report', topic, fromMenu('could you have a look', 'Report')),
    on('message-why', topic, fromMenu('could you have a look', /Why/)),
    on('picture', topic, (page) => page.locator('main article .message_inline_image a').last().click()),
    on('group', mention, (page) => page.locator('.user-group-mention').last().click()),
    on('person', topic, (page) => page.getByRole('button', { name: 'Mia Member', exact: true }).last().click()),
    on('person-menu', topic, async (page) => {
      await page.getByRole('button', { name: 'Mia Member', exact: true }).last().click();
      await page.getByRole('button', { name: 'More for Mia Member' }).click();
    }),
    on('topic-menu', topic, button('Topic menu')),
    on('topic-move', topic, async (page) => {
      await button('Topic menu')(page);
      await page.getByRole('menuitem', { name: 'Move or rename …' }).click();
    }),
    on(
      'topic-delete',
      topic,
      async (page) => {
        await button('Topic menu')(page);
        await page.getByRole('menuitem', { name: 'Delete topic …' }).click();
      },
      'owner',
    ),
    on('channel-menu', `#narrow/channel/${engineering}`, button('More for engineering')),
    on('channel-leave', `#channels/${leadership}/-/general`, button('Leave'), 'owner'),
    on('channel-rule-new', `#channels/${engineering}/-/rules`, button('Add a rule'), 'owner'),
    on('channel-new', '#channels/new', async () => undefined, 'owner'),
    on('group-new', '#groups/new', async () => undefined, 'owner'),
    on('group-deactivate', `#groups/${group}/-/general`, button('Deactivate group'), 'owner'),
    on(
      'permission-picker',
      `#channels/${engineering}/-/permissions`,
      async (page) => page.getByRole('button', { name: 'Add' }).first().click(),
      'owner',
    ),
    on('key', '#settings/account-and-privacy', button('Show the key')),
    on('password', '#settings/account-and-privacy', button(/password/i)),
    on('email', '#settings/account-and-privacy', button('Change email')),
    on('app-key-new', '#settings/account-and-privacy', button('Create a key')),
    on('app-password-new', '#settings/account-and-privacy', button('Create an app password')),
    on('picture-crop', '#settings/profile', async (page) => {
      const file = { name: 'me.png', mimeType: 'image/png', buffer: picture };
      await page.locator('input[type=file]').first().setInputFiles(file);
      await page.getByRole('dialog').waitFor();
    }),
    on('bot-new', '#settings/your-bots', button('Add bot')),
    on('bot-key', '#settings/your-bots', button(/^Key of/)),
    on('bot-address', '#settings/your-bots', button(/^Address of/)),
    on('bot-deactivate', '#settings/your-bots', button(/^Deactivate/)),
    on('domain-new', '#organization/domains', button('Add a domain'), 'owner'),
    on('directory-new', '#organization/auth-methods', button('Create a token'), 'owner'),
    on('linkifier-change', '#organization/linkifier-settings', button(/^Edit/), 'owner'),
    on('field-change', '#organization/profile-field-settings', button(/^Edit/), 'owner'),
    on('folder-change', '#organization/channel-folders', button(/^Edit/), 'owner'),
    on('emoji-remove', '#organization/emoji-settings', button(/^Remove/), 'owner'),
    on('linkifier-new', '#organization/linkifier-settings', button('Add linkifier'), 'owner'),
    on('field-new', '#organization/profile-field-settings', button('Add field'), 'owner'),
    on('playground-new', '#organization/playground-settings', button('Add playground'), 'owner'),
    on('export-new', '#organization/data-exports-admin', button('New export'), 'owner'),
    on('closing', '#organization/organization-profile', button('Deactivate organization'), 'owner'),
    on('folder-new', '#organization/channel-folders', button('Add folder'), 'owner'),
    on('emoji-new', '#organization/emoji-settings', button(/Add/), 'owner'),
    on('deactivate', '#organization/users/active', button('Deactivate Gus Guest'), 'owner'),
    on('archive', `#channels/${engineering}/-/general`, button(/Archive/), 'owner'),
  ];
}
