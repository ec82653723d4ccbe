import { describe, expect, it } from 'vitest';
import { HandClock } from '../../test/support/web.ts';
import { Release } from './release.ts';

const page = (release: string) => `<!doctype html><meta name="release" content="${release}"><title>x</title>`;

describe('the release of the client', () => {
  const told = async (answer: string | undefined, own: string | undefined = 'main-A.js') => {
    const release = new Release({ clock: new HandClock(), own, page: async () => answer });
    await release.ask();
    return release.isNewer.value;
  };

  it('is newer when the server’s page names another, and only then', async () => {
    expect(await told(page('main-B.js'))).toBe(true);
    expect(await told(page('main-A.js'))).toBe(false);
    for (const odd of [undefined, '', '<html>Bad gateway</html>', page('"><script>'), page('')])
      expect(await told(odd)).toBe(false);
    const unknown = new Release({ clock: new HandClock(), own: undefined, page: async () => page('main-B.js') });
    await unknown.ask();
    expect(unknown.isNewer.value).toBe(false);
  });

  it('is asked for again only after a while', async () => {
    const clock = new HandClock();
    let asked = 0;
    const release = new Release({ clock, own: 'main-A.js', page: async () => String(++asked) });
    release.look();
    clock.pass(30 * 60_000 + 1);
    for (let times = 0; times < 600; times++) release.look();
    expect(asked).toBe(1);
  });
});
