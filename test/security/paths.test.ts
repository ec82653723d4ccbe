import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { rawRequest } from '../support/raw.ts';
import { openWorld, type World } from '../support/world.ts';

const WAYS = [
  '../../secret',
  '..%2f..%2fsecret',
  '..%2F..%2F..%2F..%2Fsecret',
  '%2e%2e/%2e%2e/secret',
  '%2e%2e%2f%2e%2e%2fsecret',
  '%252e%252e%252fsecret',
  '....//....//secret',
  '..;/secret',
  'secret%00.png',
  '%00secret',
  'C:%5csecret',
  '..%5c..%5csecret',
  '//etc/passwd',
  '%2fetc%2fpasswd',
  '../../../../../../../../etc/passwd',
  '%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
];

describe.each(databases)('34: no path leads out of the files, on %s', (database) => {
  let world: World;
  let port: number;
  let secret: string;
  let authorization: string;
  beforeAll(async () => {
    world = await openWorld(database);
    port = await world.server.listener.listen(0, '127.0.0.1');
    secret = readFileSync(join(world.dataDir, 'secret'), 'utf8').trim();
    ({ authorization } = world.max);
  });
  afterAll(() => world.close());

  const ask = (path: string) =>
    rawRequest(
      port,
      `GET ${path} HTTP/1.1\r\nHost: localhost:9991\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );

  it('however it is written: the bytes reach the router as they are', async () => {
    const { url } = await world.max.upload('plan.txt', 'the plan');
    // What is asked so is answered at all.
    expect(await ask(url)).toMatch(/^HTTP\/1\.1 200[\s\S]*the plan$/);
    const roots = [
      '/user_uploads/',
      `/user_uploads/${world.realm.id}/`,
      url.slice(0, url.lastIndexOf('/') + 1),
      `/user_uploads/download/${world.realm.id}/`,
      '/user_uploads/temporary/',
      `/user_uploads/thumbnail/${world.realm.id}/`,
      '/user_avatars/',
      `/user_avatars/${world.realm.id}/`,
      `/user_avatars/${world.realm.id}/emoji/images/`,
      '/static/',
      '/avatar/',
      '/api/assets/',
      '/api/v1/user_uploads/',
      '/external_content/',
    ];
    for (const root of roots)
      for (const way of WAYS) {
        const answer = await ask(`${root}${way}`);
        expect(answer, `${root}${way}`).toMatch(/^HTTP\/1\.1 (?:302|303|400|401|403|404) /);
        expect(answer).not.toContain(secret);
        expect(answer).not.toContain('root:');
      }
  });

  it('nor does the name of a file that is uploaded', async () => {
    const shown = await world.max.upload('../../evil\r\nX-Evil: 1.png', await plain(4, 4).png().toBuffer());
    expect(shown['url']).not.toMatch(/\/\.\.?\/|%2f|\\|\r|\n/i);
    expect((await ask(shown['url'])).toLowerCase()).not.toMatch(/\r\nx-evil:/);
  });
});
