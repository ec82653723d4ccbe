import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';
import { signInFile } from '../support/identity-provider.ts';

const KNOWN = { client_id: 'roost', client_secret: 'a secret' };

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('the order of the ways to log in', () => {
  let demo: DemoPages;
  let olive: Page;
  beforeAll(async () => {
    const providers = [
      { ...KNOWN, kind: 'openid', id: 'okta', name: 'Okta', issuer: 'http://127.0.0.1:9' },
      { ...KNOWN, kind: 'github', id: 'hub', name: 'GitHub' },
    ];
    demo = await DemoPages.open('sqlite', signInFile({ providers }));
    olive = await demo.logIn('owner');
  });
  afterAll(() => demo.close());

  const order = () => olive.locator('section[aria-labelledby=login-order] li b').allTextContents();
  const focused = () => olive.evaluate<string | null>("document.activeElement?.getAttribute('aria-label')");

  it('is changed by the keyboard alone: the focus stays with what is moved, and people log in by it', async () => {
    await goTo(olive, '#organization/auth-methods');
    await expect.poll(order).toEqual(['Passkey', 'Okta', 'GitHub', 'Password']);
    await olive.locator('body').focus();
    for (let presses = 0; (await focused()) !== 'Move GitHub up'; presses++) {
      expect(presses).toBeLessThan(120);
      await olive.keyboard.press('Tab');
    }
    await olive.keyboard.press('Enter');
    await expect.poll(order).toEqual(['Passkey', 'GitHub', 'Okta', 'Password']);
    await expect.poll(focused).toBe('Move GitHub up');
    await olive.keyboard.press('Space');
    await expect.poll(order).toEqual(['GitHub', 'Passkey', 'Okta', 'Password']);
    // At the top the button says why it does nothing, and the focus has not gone.
    await expect.poll(focused).toBe('Move GitHub up');
    await olive.keyboard.press('Enter');
    await olive.keyboard.press('Tab');
    expect(await focused()).toBe('Move GitHub down');
    expect((await inspect(olive)).found).toEqual([]);
    expect(await order()).toEqual(['GitHub', 'Passkey', 'Okta', 'Password']);
    const login = await (await fetch(`${demo.server.url}/login/`)).text();
    expect(login.indexOf('Continue with GitHub')).toBeLessThan(login.indexOf('Continue with Okta'));
    expect(login.indexOf('Continue with Okta')).toBeLessThan(login.indexOf('type="password"'));
    expect(demo.complaints).toEqual([]);
  });
});
