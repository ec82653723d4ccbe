import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate, sql } from '#kernel/store';
import { migrations } from '../../src/migrations/index.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** 2^53 - 1 minutes from some day on, which earlier releases took. */
const BEYOND_NUMBERS = '540431955284459460';

describe.each(databases)('invitations without a sensible end, of an earlier release, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  it('end after ten years, as the longest do now, and all can be listed', async () => {
    const { olive, server } = world;
    const { store } = server.context;
    for (const minutes of [60, 5_256_000, 120])
      await olive.post('/invites/multiuse', { invite_expires_in_minutes: minutes, stream_ids: [] });
    const before = (await olive.get('/invites'))['invites'];
    await store.write(async (tx) => {
      await sql`update invitation set expires_at = ${sql.raw(BEYOND_NUMBERS)} where id = ${before[2].id}`.execute(
        tx.db,
      );
      await sql`delete from schema_migration where name = '2026-11-27T0050-ends-of-invitations'`.execute(tx.db);
    });
    await migrate(store, migrations);
    const ends = (await olive.get('/invites'))['invites'].map((one: { expiry_date: number }) => one.expiry_date);
    const longest = before[1].expiry_date;
    expect(ends).toEqual([before[0].expiry_date, longest, longest]);
  });
});
