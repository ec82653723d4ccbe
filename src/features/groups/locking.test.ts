import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyoneInRealm, lockLog } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import type { RealmWriteTx } from '#kernel/store';
import { realmUserUpdated } from '#features/users';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { listGroups } from './index.ts';
import { groupMembersRemoved } from './events.ts';

describe.each(databases)('a change of rights on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const write = (work: (tx: RealmWriteTx) => Promise<unknown>) =>
    world.server.context.store.in(world.realm).write(async (tx) => void (await work(tx)));

  it('fails without the lock of the log, and holds with it', async () => {
    const { max } = world;
    const removal = async (tx: RealmWriteTx) => {
      const [group] = await listGroups(tx);
      if (!group) expect.fail('there are no groups');
      tx.emit(groupMembersRemoved({ group_id: group.id, user_ids: [asId(max.userId)] }));
    };
    await expect(write(removal)).rejects.toThrow('user_group/remove_members changes rights without locking the log');
    await write(async (tx) => {
      await lockLog(tx);
      await removal(tx);
    });
  });

  it('is one that says whose view it alters, and no other change of a person', async () => {
    const { max } = world;
    const id: UserId = asId(max.userId);
    const change = (viewers: readonly UserId[]) =>
      write(async (tx) => {
        const person = { user_id: id, full_name: 'Max Member' };
        tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers }));
      });
    await change([]);
    await expect(change([id])).rejects.toThrow('realm_user/update changes rights without locking the log');
  });
});
