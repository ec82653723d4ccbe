import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { findActor } from '#features/users';
import { RawBody } from '#kernel/endpoint';
import { asId, type UserId } from '#kernel/ids';
import { listFiles } from './list.ts';

const COUNT = 1250;

describe.each(databases)('the list of thousands of files, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.server.context.store.in(world.realm).write(async (tx) => {
      const rows = Array.from({ length: COUNT }, (_none, n) => ({
        realm_id: world.realm.id,
        owner_id: asId<UserId>(world.gus.userId),
        name: `${n}.txt`,
        path_id: `${world.realm.id}/a/many-files/${n}.txt`,
        size: 1,
        content_type: 'text/plain',
        create_time: n,
        unused_since: tx.now,
        image: null,
      }));
      await tx.db.insertInto('attachment').values(rows).execute();
    });
  });
  afterAll(() => world.close());

  it('has all of them, by ID, and says what was ignored (protocol/files#attachments)', async () => {
    const { body } = await world.gus.request('GET', '/attachments', { x: 1 });
    const { attachments, ...rest } = body;
    expect(rest).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['x'],
      upload_space_used: expect.any(Number),
    });
    expect(attachments.map(({ name }: Body) => name)).toEqual(Array.from({ length: COUNT }, (_none, n) => `${n}.txt`));
    const ids: readonly number[] = attachments.map(({ id }: Body) => id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids);
    expect(attachments[0]).toMatchObject({ size: 1, create_time: 0, message_ids: [], messages: [] });
  });

  it('is made in parts, each of which takes room before the next is read', async () => {
    const { context } = world.server;
    const actor = await context.store.in(world.realm).query((tx) => findActor(tx, asId(world.gus.userId), 'test'));
    if (!actor) throw new Error('gus has no account');
    let parts = 0;
    const room = { begin: () => undefined, take: () => void parts++ };
    const reply = await listFiles(context, actor, { acceptsGzip: false, ignoredParameters: [], room });
    expect(reply).toBeInstanceOf(RawBody);
    // Three pages, and the end.
    expect(parts).toBe(4);
  });
});
