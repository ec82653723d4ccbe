import { lockLog } from '#kernel/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { findUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import { deactivateAccount, reactivateAccount } from './index.ts';

describe.each(databases)('accounts on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('leave subscribers and groups when they end, and are back in both when they return (protocol/users#deactivating, protocol/users#reactivating)', async () => {
    const { max, mia, olive, realm, server } = world;
    const leaver = await world.user({ full_name: 'Lea Leaver' });
    const userId = asId<UserId>(leaver.userId);
    for (const [name, isPrivate] of [
      ['pier', false],
      ['hold', true],
    ] as const)
      await olive.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [olive.userId, mia.userId, userId],
        invite_only: isPrivate,
      });
    const members = [max.userId, userId];
    await olive.post('/user_groups/create', { name: 'crew', description: '', members });
    const queue = await leaver.register();
    const [seen] = await expectSync([mia, olive, max], () =>
      server.context.store.in(realm).write(async (tx) => {
        await lockLog(tx);
        await deactivateAccount(tx, userId);
      }),
    );
    expect(seen?.map((event) => event['op'])).toEqual(['peer_remove', 'peer_remove', 'update']);
    await expect(queue.events()).rejects.toThrow('USER_DEACTIVATED');
    const [back] = await expectSync([mia, olive, max], () =>
      server.context.store.in(realm).write(async (tx) => {
        await lockLog(tx);
        const row = await findUser(tx, userId);
        if (row) await reactivateAccount(tx, row);
      }),
    );
    expect(back?.filter((event) => event['type'] === 'user_group')).toHaveLength(3);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    const { subscriptions } = (await leaver.register()).state;
    expect(subscriptions.map((one: { name: string }) => one.name)).toEqual(expect.arrayContaining(['pier', 'hold']));
  });
});
