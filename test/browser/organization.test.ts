import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('what an organization and its people show of themselves', () => {
  let demo: DemoPages;
  let olive: Page;
  let max: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    [olive, max] = [await demo.logIn('owner'), await demo.logIn('member', { colorScheme: 'dark' })];
  });
  afterAll(() => demo.close());

  const state = (type: string, who: 'owner' | 'member' = 'owner') =>
    demo.call(who, 'POST', '/register', { fetch_event_types: [type], event_types: [] });

  it('a status of an emoji and words, which another sees on the card, and which is taken away', async () => {
    await goTo(max, '#settings/profile');
    await max.getByRole('button', { name: 'Emoji', exact: true }).click();
    await max.getByLabel('Find an emoji').fill('octop');
    await max.getByRole('button', { name: 'octopus' }).waitFor();
    expect((await inspect(max)).found).toEqual([]);
    await max.keyboard.press('Enter');
    await max.getByRole('button', { name: 'Emoji: octopus' }).waitFor();
    await max.getByLabel('What you are doing').fill('counting arms');
    await max.keyboard.press('Enter');
    await max.getByText('Saved').first().waitFor();
    const id = (await demo.call('member', 'GET', '/users/me'))['user_id'];
    await expect
      .poll(async () => (await demo.call('owner', 'GET', `/users/${id}/status`))['status'])
      .toMatchObject({ emoji_name: 'octopus', status_text: 'counting arms' });
    await demo.send('member', 2, 'arms', 'eight');
    await goTo(olive, '#narrow/channel/2-design/topic/arms', 'arms');
    await olive.locator('main article .who').first().click();
    const card = olive.getByRole('dialog');
    await card.getByRole('img', { name: 'octopus' }).waitFor();
    await card.getByText('counting arms').waitFor();
    await olive.keyboard.press('Escape');
    await max.getByRole('button', { name: 'Out sick' }).click();
    await max.getByRole('button', { name: 'Emoji: hurt' }).waitFor();
    await max.getByRole('button', { name: 'Clear' }).click();
    await max.getByRole('button', { name: 'Emoji', exact: true }).waitFor();
    expect((await demo.call('owner', 'GET', `/users/${id}/status`))['status']).toEqual({});
  });

  it('an icon and a logo by day and by night, which only administrators change', async () => {
    await goTo(olive, '#organization/organization-profile');
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#0a7' } })
      .png()
      .toBuffer();
    for (const name of ['Icon', 'Logo for the light theme', 'Logo for the dark theme']) {
      await olive
        .locator(`input[type=file][aria-label$="${name}"]`)
        .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: picture });
      await olive.getByRole('img', { name, exact: true }).waitFor();
    }
    const facts = await state('realm');
    expect([facts['realm_icon_source'], facts['realm_logo_source'], facts['realm_night_logo_source']]).toEqual([
      'U',
      'U',
      'U',
    ]);
    expect((await inspect(olive)).found).toEqual([]);
    // The logo stands for the name at once, in everybody's client; the icon in the tab, and where strangers log in.
    await max.locator('nav .org img[src*="night_logo"]').waitFor();
    await expect.poll(() => max.locator('link[rel=icon]').getAttribute('href')).toMatch(/icon\.png/);
    const login = await (await fetch(`${demo.server.url}/login/`)).text();
    expect(login).toMatch(/<link rel="icon" href="\/user_avatars\/realm\/icon\.png/);
    expect(login).toMatch(/<img class="org-icon" src="\/user_avatars\/realm\/icon\.png/);
    await goTo(max, '#organization/organization-profile');
    await max.getByRole('img', { name: 'Logo for the dark theme' }).waitFor();
    expect(
      await max
        .getByRole('button', { name: /: Icon$/ })
        .first()
        .getAttribute('aria-disabled'),
    ).toBe('true');
    const broken = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await olive.locator('input[type=file][aria-label$="Icon"]').setInputFiles(broken);
    await olive.getByText(/Could not decode image|Invalid image/).waitFor();
    await olive
      .getByRole('button', { name: /: Logo for the light theme/ })
      .last()
      .click();
    await expect.poll(async () => (await state('realm'))['realm_logo_source']).toBe('D');
  });

  it('settings with which new people begin, on the same pages as one’s own', async () => {
    await goTo(olive, '#organization/organization-level-user-defaults');
    await olive
      .getByRole('switch', { name: 'Enter' })
      .or(olive.getByLabel(/Enter sends/))
      .first()
      .click();
    await expect
      .poll(async () => (await state('realm_user_settings_defaults'))['realm_user_settings_defaults'].enter_sends)
      .toBe(true);
    expect((await state('user_settings'))['user_settings'].enter_sends).toBe(false);
    await goTo(max, '#organization/organization-level-user-defaults');
    await max.getByText('Can be changed by: administrators.').first().waitFor();
    expect(await max.locator('table.matrix input').first().isDisabled()).toBe(true);
  });

  it('the name, role and profile of somebody, which administrators change', async () => {
    const { id: field } = await demo.call('owner', 'POST', '/realm/profile_fields', {
      name: 'Pronouns',
      field_type: 1,
      editable_by_user: false,
    });
    const { user_id: id } = await demo.call('member2', 'GET', '/users/me');
    const stored = async () =>
      (await demo.call('owner', 'GET', `/users/${id}`, { include_custom_profile_fields: true }))['user'];
    await goTo(olive, '#organization/users/active');
    await olive.getByRole('link', { name: 'Mia Member' }).focus();
    await olive.keyboard.press('Enter');
    const name = olive.getByLabel('Name', { exact: true });
    await name.fill('M');
    await name.press('Enter');
    await olive.locator('.set-row', { has: name }).getByText('Name too short!').waitFor();
    await name.fill('Mia Moved');
    await name.press('Enter');
    const pronouns = olive.getByLabel('Pronouns', { exact: true });
    await pronouns.fill('she/her');
    await pronouns.press('Enter');
    await olive.getByLabel('Role', { exact: true }).selectOption('Moderator');
    await expect.poll(async () => (await stored()).role).toBe(300);
    expect(await stored()).toMatchObject({ full_name: 'Mia Moved', profile_data: { [field]: { value: 'she/her' } } });
    await olive.getByRole('button', { name: 'Undo', exact: true }).click();
    expect((await inspect(olive)).found).toEqual([]);
    await expect.poll(async () => (await stored()).role).toBe(400);
    await pronouns.fill('');
    await pronouns.press('Enter');
    await expect.poll(async () => (await stored()).profile_data?.[field]?.value ?? '').toBe('');
    await goTo(max, `#organization/users/${id}`);
    await max.getByText('Can be changed by: administrators.').first().waitFor();
    for (const label of ['Name', 'Pronouns', 'Role'])
      expect(await max.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
    await demo.send('member2', 2, 'arms', 'mine');
    await goTo(olive, '#narrow/channel/2-design/topic/arms', 'arms');
    await olive.getByRole('button', { name: 'Mia Moved', exact: true }).last().click();
    await olive.getByRole('button', { name: 'More for Mia Moved' }).click();
    await olive.getByRole('menuitem', { name: 'Edit profile' }).click();
    await name.waitFor();
  });

  it('the role of somebody whose account is deactivated, which an owner changes', async () => {
    const { members } = await demo.call('owner', 'GET', '/users');
    const dora = (members as { full_name: string; user_id: number }[]).find((one) => one.full_name.startsWith('Dora'));
    const stored = async () => (await demo.call('owner', 'GET', `/users/${dora?.user_id}`))['user'].role as number;
    await goTo(olive, `#organization/users/${dora?.user_id}`);
    await olive.getByText('Deactivated account').waitFor();
    await olive.getByLabel('Role', { exact: true }).selectOption('Guest');
    await expect.poll(stored).toBe(600);
    expect(await olive.getByText('Can be changed by: owners.').count()).toBe(0);
  });

  it('people with the whole of their names, also on a phone, with the role below', async () => {
    const { user_id } = await demo.call('moderator', 'GET', '/users/me');
    const full_name = 'Maximiliana Featherstonehaugh-Cholmondeley von und zu Hohenlohe';
    const { full_name: before } = await demo.call('moderator', 'GET', '/users/me');
    await demo.call('owner', 'PATCH', `/users/${user_id}`, { full_name });
    await olive.setViewportSize({ width: 360, height: 900 });
    await goTo(olive, '#organization/users/active');
    const name = olive.getByRole('link', { name: full_name });
    await name.waitFor();
    const row = olive.locator('.rows.people > li', { has: name });
    const [shown, role] = [await name.boundingBox(), await row.locator('select').boundingBox()];
    expect(shown?.width).toBeGreaterThan(200);
    expect(role?.y).toBeGreaterThan((shown?.y ?? 0) + 20);
    const isCut = `[...document.querySelectorAll('.rows.people b a')].some((one) => one.scrollWidth > one.clientWidth)`;
    expect(await olive.evaluate(isCut)).toBe(false);
    await olive.setViewportSize({ width: 1280, height: 720 });
    await demo.call('owner', 'PATCH', `/users/${user_id}`, { full_name: before });
  });

  it('a guest nothing that guests may not do', async () => {
    const gus = await demo.logIn('guest');
    await goTo(gus, '#organization/invites');
    await gus.getByRole('heading', { name: 'Invite by mail' }).waitFor();
    expect(await gus.getByRole('heading', { name: 'Open invitations' }).count()).toBe(0);
    expect(await gus.locator('main .err').count()).toBe(0);
    await goTo(gus, '#channels/new');
    await gus.getByRole('dialog').getByText('You are not allowed to create channels.').waitFor();
    expect(await gus.getByRole('dialog').getByRole('radio').count()).toBe(0);
    expect((await inspect(gus)).found).toEqual([]);
    await gus.keyboard.press('Escape');
    await gus.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo(gus, '#inbox', 'Inbox');
    await gus.keyboard.press('Control+k');
    await gus.getByRole('dialog').getByRole('combobox').fill('new');
    await gus.getByRole('option').first().waitFor();
    expect(await gus.getByRole('option', { name: /^New (channel|group)$/ }).count()).toBe(0);
    await gus.context().close();
  });

  it('linkifiers, tried out as the server uses them', async () => {
    await demo.call('owner', 'POST', '/realm/filters', {
      pattern: 'ROOK-(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
    });
    await goTo(olive, '#organization/linkifier-settings');
    await olive.getByLabel('Try it out').fill('See ROOK-7 and RAVEN-8.');
    const link = olive.getByRole('status').getByRole('link');
    await link.waitFor();
    expect([await link.textContent(), await link.getAttribute('href')]).toEqual(['ROOK-7', 'https://example.com/7']);
    expect((await inspect(olive)).found).toEqual([]);
  });

  it('domains whose addresses may join: added, refused with the server’s sentence, removed', async () => {
    await goTo(olive, '#organization/domains');
    const add = async (domain: string) => {
      await olive.getByRole('button', { name: 'Add a domain' }).first().click();
      const dialog = olive.getByRole('dialog');
      await dialog.getByLabel('Domain', { exact: true }).fill(domain);
      await dialog.getByRole('button', { name: 'Add a domain' }).click();
      return dialog;
    };
    const dialog = await add('nodots');
    await dialog.getByText('Domain must have at least one dot (.)').waitFor();
    expect((await inspect(olive)).found).toEqual([]);
    await olive.keyboard.press('Escape');
    await add('rooks.example');
    await olive.getByRole('switch', { name: 'rooks.example' }).click();
    await expect
      .poll(async () => (await demo.call('owner', 'GET', '/realm/domains'))['domains'])
      .toEqual([{ domain: 'rooks.example', allow_subdomains: true }]);
    await goTo(max, '#organization/domains');
    expect(await max.getByRole('switch', { name: 'rooks.example' }).isDisabled()).toBe(true);
    await olive.getByRole('button', { name: 'Remove rooks.example' }).click();
    await olive.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await max.getByText('No domains yet.').waitFor();
  });

  it('how close things stand, in this browser', async () => {
    await goTo(max, '#settings/preferences');
    await max.getByText('Compact', { exact: true }).click();
    await expect.poll(() => max.evaluate('document.documentElement.dataset.density')).toBe('compact');
    await max.reload();
    await max.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await expect.poll(() => max.evaluate('document.documentElement.dataset.density')).toBe('compact');
    expect(demo.complaints).toEqual([]);
  });

  it('an export that is asked for, made, fetched and deleted, which only administrators see', async () => {
    await goTo(max, '#organization/data-exports-admin');
    await max.getByText('Can be changed by: Administrators.').first().waitFor();
    expect(await max.getByRole('button', { name: 'New export' }).getAttribute('aria-disabled')).toBe('true');
    await goTo(olive, '#organization/data-exports-admin');
    await olive.getByText('No exports yet.').waitFor();
    await olive.getByRole('button', { name: 'New export' }).click();
    await olive.getByLabel('Contents').selectOption('Public channels');
    await olive.getByRole('button', { name: 'Start export' }).click();
    // It comes by events, without asking anew.
    const link = olive.getByRole('link', { name: 'Download' });
    await link.waitFor();
    await olive.getByText('Public channels · by Olive Owner').waitFor();
    const address = (await link.getAttribute('href')) ?? '';
    const fetched = await olive.evaluate(
      `fetch(${JSON.stringify(address)}).then(async (one) => [one.status, new Uint8Array(await one.arrayBuffer()).length > 1000])`,
    );
    expect(fetched).toEqual([200, true]);
    await olive.getByRole('button', { name: /^Delete Export of/ }).click();
    await olive.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await olive.getByText(/^Deleted /).waitFor();
    expect(await link.count()).toBe(0);
    expect((await inspect(olive)).found).toEqual([]);
  });

  it('the end of the organization, which an owner confirms by its name', async () => {
    await goTo(max, '#organization/organization-profile');
    await max.getByLabel('Name').first().waitFor();
    expect(await max.getByRole('button', { name: 'Deactivate organization' }).count()).toBe(0);
    await goTo(olive, '#organization/organization-profile');
    await olive.getByRole('button', { name: 'Deactivate organization' }).click();
    const dialog = olive.getByRole('dialog');
    const name = dialog.getByLabel(/^Type .* to confirm$/);
    await name.fill('Roost');
    await name.press('Enter');
    const way = dialog.getByRole('button', { name: 'Deactivate organization' });
    expect(await way.getAttribute('aria-disabled')).toBe('true');
    expect((await demo.call('owner', 'GET', '/users/me'))['result']).toBe('success');
    await name.fill('Roost Demo');
    await dialog.getByLabel('Its messages and files').selectOption('Delete them after 30 days');
    await way.click();
    await olive.waitForURL(/\/login\//);
    await olive
      .getByText(/deactivated/)
      .first()
      .waitFor();
    await max.waitForURL(/\/login\//);
  });
});
