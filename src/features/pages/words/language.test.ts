import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('the language of pages on %s', (database) => {
  let world: World;
  beforeAll(async () => (world = await openWorld(database)));
  afterAll(() => world.close());

  const ask = (url: string, language: string) =>
    world.server.listener.inject({ url, headers: { accept: 'text/html', 'accept-language': language } });

  it.each([
    ['/login/', 'Anmelden', 'Log in'],
    ['/accounts/password/reset/', 'Passwort vergessen?', 'Forgot the password?'],
    ['/register/', 'Du brauchst eine Einladung', 'You need an invitation'],
    ['/join/short/', 'Dieser Link ist unvollständig', 'This link is malformed'],
    ['/logout/', 'Abmelden', 'Log out'],
    ['/nothing', 'Hier sitzt nichts', 'Nothing perches here'],
    ['/apps/', 'Eine App verbinden', 'Connect an app'],
    ['/help/', 'Erste Schritte', 'Getting started'],
    ['/accounts/unsubscribe/digest/10-short', 'Diesen Link gibt es nicht', 'This link does not exist'],
    ['/accounts/confirm_new_email/short', 'Dieser Link gilt nicht mehr', 'This link is no longer valid'],
    ['/accounts/keep_email/short', 'Dieser Link gilt nicht mehr', 'This link is no longer valid'],
    ['/accounts/login/social/nobody', 'Nicht angemeldet', 'Not logged in'],
    ['/accounts/login/sso', 'Nicht angemeldet', 'Not logged in'],
    ['/accounts/logout/saml/nobody', 'Abmeldung', 'Logging out'],
    ['/calls/zoom/complete?state=none', 'Zoom ist nicht verbunden', 'Zoom is not connected'],
  ])('is that of the browser, and no cache mixes them up: %s', async (path, german, english) => {
    for (const [asked, language, title] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de', german],
      ['en-GB,en;q=0.9,de;q=0.5', 'en', english],
    ] as const) {
      const { body, headers } = await ask(path, asked);
      expect(body).toContain(`<html lang="${language}">`);
      expect(body).toContain(`<h1>${title}</h1>`);
      expect(headers).toMatchObject({ vary: expect.stringContaining('Accept-Language'), 'cache-control': 'no-store' });
    }
  });

  it('is that of the keys, too', async () => {
    expect((await ask('/help/', 'de')).body).toContain('<kbd>Strg K</kbd>');
    expect((await ask('/help/', 'en')).body).toContain('<kbd>Ctrl K</kbd>');
  });

  it('is said to be English where a page is in English only', async () => {
    const { body } = await ask('/integrations/github', 'de');
    expect(body).toContain('<html lang="de">');
    expect(body).toMatch(/<p lang="en">[^]*<div lang="en">/);
  });

  it('is that of the organization for a browser that asks for none, also in what is refused', async () => {
    await world.olive.patch('/realm', { default_language: 'de' });
    const visitor = new Visitor(world.server);
    expect((await visitor.get('/login/')).text).toContain('<html lang="de">');
    const refused = await visitor.post('/login/', { username: 'member@roost.test', password: 'wrong' });
    expect(refused.text).toContain('<span role="alert">Diese Anmeldedaten stimmen nicht.</span>');
    expect((await ask('/login/', 'en')).body).toContain('<html lang="en">');
    const forged = await new Visitor(world.server).post('/login/', { username: 'x', password: 'y' });
    expect([forged.status, forged.text.includes('<h1>Nicht gesendet</h1>')]).toEqual([403, true]);
  });

  it.each([
    ['/welcome/', 'Roost Test ist bereit', 'Roost Test is ready'],
    ['/accounts/connections/', 'Verbundene Konten', 'Connected accounts'],
    ['/accounts/sessions/', 'Wo du angemeldet bist', 'Where you are logged in'],
    ['/calls/bigbluebutton/join', 'Kein Anruf', 'No call'],
    ['/calls/zoom/register', 'Zoom ist nicht verbunden', 'Zoom is not connected'],
  ])('is that of their settings for people who are logged in, as in the client: %s', async (path, german, english) => {
    const visitor = new Visitor(world.server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: world.olive.email, password: 'roost-demo-password' });
    for (const [chosen, asked, title] of [
      ['de', 'en', german],
      ['en', 'de', english],
      ['fr', 'de', german],
    ] as const) {
      await world.olive.patch('/settings', { default_language: chosen });
      visitor.language = asked;
      expect((await visitor.get(path)).text).toContain(`<h1>${title}</h1>`);
    }
  });
});
