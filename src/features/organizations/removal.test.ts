import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql, tables } from '#kernel/store';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { createOrganization } from './create.ts';
import { reactivateRealm } from './deactivate.ts';

const DAY_MS = 86_400_000;

describe.each(databases)('the data of an organization taken out of use on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  /** How many rows of the organization each table has; tables without any are left out. */
  const rowsOf = (realmId: number) =>
    world.server.context.store.read(async (tx) => {
      const counts: Record<string, number> = {};
      for (const { name, columns } of tables()) {
        const id = sql.ref(name === 'realm' ? 'id' : 'realm_id');
        if (name !== 'realm' && !('realm_id' in columns)) continue;
        const counting = sql<{
          count: number;
        }>`select count(*) as count from ${sql.table(name)} where ${id} = ${realmId}`;
        const count = Number((await counting.execute(tx.db)).rows[0]?.count);
        if (count > 0) counts[name] = count;
      }
      return counts;
    });
  const keysOf = async () => {
    const keys: string[] = [];
    for await (const { key } of world.server.context.files.list('')) keys.push(key);
    return keys;
  };
  const after = async (days: number) => {
    const { context } = world.server;
    world.clock.advance(days * DAY_MS);
    context.jobs.start(context);
    await context.jobs.idle();
  };
  const say = (content: string) => world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content });

  it('is deleted when its days are over, and that of others is not', async () => {
    const { olive, max, server } = world;
    const other = await createOrganization(server.context, {
      subdomain: 'other',
      name: 'Other',
      owner: { email: 'owner@roost.test', full_name: 'Otto Owner', password: 'roost-demo-password' },
      isEmpty: true,
    });
    const upload: Body = await max.upload('notes.txt', 'written down');
    await say(`a heron [notes](${upload['url']})`);
    await max.post('/users/me/status', { status_text: 'away' });
    const others = await rowsOf(other.realm.id);
    await olive.post('/realm/deactivate', { deletion_delay_days: 20 });
    await after(19);
    expect(await rowsOf(world.realm.id)).toMatchObject({ realm: 1, message: 1, attachment: 1, user_status: 1 });
    expect(await keysOf()).toHaveLength(1);
    await after(1);
    expect(await rowsOf(world.realm.id)).toEqual({});
    expect(await keysOf()).toEqual([]);
    expect(await rowsOf(other.realm.id)).toMatchObject(others);
    const words = await server.context.store.query((tx) => tx.dialect.search.idsWith(['heron']).execute(tx.db));
    expect(words.rows).toEqual([]);
    const again = { subdomain: '', name: 'New', owner: { email: 'n@roost.test', full_name: 'Nia', password: 'x' } };
    expect((await createOrganization(server.context, again)).realm.id).not.toBe(world.realm.id);
  });

  it('stays when it is in use again before, also when it is taken out of use once more', async () => {
    const { olive, max } = world;
    await say('kept');
    await olive.post('/realm/deactivate', { deletion_delay_days: 14 });
    expect(await reactivateRealm(world.server.context, world.realm)).toBe(true);
    expect(await reactivateRealm(world.server.context, world.realm)).toBe(false);
    await after(15);
    const { messages } = await max.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] });
    expect(messages).toMatchObject([{ content: '<p>kept</p>' }]);
    await olive.post('/realm/deactivate');
    await after(15);
    expect(await rowsOf(world.realm.id)).toMatchObject({ realm: 1, message: 1 });
  });

  it.each([[{}], [{ deletion_delay_days: null }]])('stays for ever with %j', async (sent) => {
    await world.olive.post('/realm/deactivate', sent);
    expect(await rowsOf(world.realm.id)).not.toHaveProperty('job');
    await after(4000);
    expect(await rowsOf(world.realm.id)).toMatchObject({ realm: 1 });
  });

  it.each([[13], [0], [-1]])(
    'may not be deleted after %i days: somebody may have erred',
    async (deletion_delay_days) => {
      const { olive } = world;
      expect(await olive.refused('POST', '/realm/deactivate', { deletion_delay_days })).toMatchObject({
        status: 400,
        msg: 'Data deletion time must be at least 14 days in the future.',
      });
      const { state } = await olive.register({ fetch_event_types: ['realm'] });
      expect(state['server_min_deactivated_realm_deletion_days']).toBe(14);
    },
  );
});
