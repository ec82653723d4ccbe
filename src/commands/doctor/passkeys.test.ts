import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#kernel/config';
import { sql } from '#kernel/store';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { passkeyFindings } from './passkeys.ts';

describe.each(databases)('what the doctor says of passkeys, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const said = async (address: string | undefined) => {
    const config = readConfig(address === undefined ? {} : { ROOST_EXTERNAL_URL: address });
    const findings = await passkeyFindings(world.server.context.store, config);
    return findings.map(({ state, says }) => `${state}: ${says}`);
  };
  const give = (host: string | null, name: string) =>
    world.server.context.store.write((tx) =>
      sql`insert into passkey (realm_id, user_id, credential_id, public_key, use_count, transports, name, relying_party, created_at)
        values (${world.realm.id}, ${world.max.userId}, ${name}, 'k', 0, '', ${name}, ${host}, 1)`.execute(tx.db),
    );

  it('names addresses at which browsers make none, gravely where people have some', async () => {
    const http = 'http://chat.example.org: browsers make passkeys by https only';
    const bare = 'https://192.0.2.7: browsers make no passkeys for a bare IP address';
    expect(await said(undefined)).toEqual(['ok: 0 for the addresses of today']);
    expect(await said('http://chat.example.org')).toEqual([`note: ${http}`]);
    expect(await said('https://192.0.2.7')).toEqual([`note: ${bare}`]);
    await give(null, 'from before');
    await give('chat.example.org', 'of today');
    expect(await said('https://chat.example.org')).toEqual(['ok: 2 for the addresses of today']);
    expect(await said('http://chat.example.org')).toEqual([`FAIL: ${http}`]);
  });

  it('finds those that were made for another host', async () => {
    await give('old.example.org', 'old');
    expect(await said('https://chat.example.org')).toEqual([
      'FAIL: one was made for old.example.org, and does not work at chat.example.org',
    ]);
  });
});
