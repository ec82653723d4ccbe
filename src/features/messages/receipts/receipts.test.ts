import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { asId, type UserId } from '#kernel/ids';
import { setUser } from '#features/users';

describe.each(databases)('read receipts on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona } = world;
    const principals = [max.userId, mia.userId, mona.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
  });
  afterAll(() => world.close());

  const send = async (more: object = {}) =>
    (
      await world.max.post('/messages', {
        type: 'channel',
        to: 'birds',
        topic: 'owl',
        content: 'hoo',
        read_by_sender: true,
        ...more,
      })
    )['id'] as number;
  const read = (who: World['max'], ids: readonly number[], op = 'add') =>
    who.post('/messages/flags', { messages: ids, op, flag: 'read' });
  const receipts = async (who: World['max'], id: number) =>
    (await who.get(`/messages/${id}/read_receipts`))['user_ids'] as number[];

  it('are given where the organization turned them on, of what one may read (protocol/flags#receipts)', async () => {
    const { max, mia, gus, olive } = world;
    const id = await send();
    const refusal = async (who: World['max'], message: number) =>
      (await who.refused('GET', `/messages/${message}/read_receipts`)).msg;
    for (const message of [id, 999_999])
      expect(await refusal(max, message)).toBe('Read receipts are disabled in this organization.');
    await olive.patch('/realm', { enable_read_receipts: true });
    for (const message of [id, 999_999]) expect(await refusal(gus, message)).toBe('Invalid message(s)');
    expect(await receipts(max, id)).toEqual([]);
    await read(mia, [id]);
    expect(await receipts(max, id)).toEqual([mia.userId]);
    await read(mia, [id], 'remove');
    expect(await receipts(max, id)).toEqual([]);
  });

  it('name those who received it, without the sender, the silent and the gone', async () => {
    const { max, mia, mona, adam, server, realm } = world;
    const id = await send();
    const late = await world.user();
    await late.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] });
    for (const reader of [mia, mona, adam, late]) await reader.post('/mark_all_as_read');
    expect(await receipts(max, id)).toEqual([mia.userId, mona.userId].toSorted((a, b) => a - b));
    await adam.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect(await receipts(max, id)).toContain(adam.userId);
    await mona.patch('/settings', { send_read_receipts: false });
    expect(await receipts(max, id)).not.toContain(mona.userId);
    const values = { is_active: false };
    await server.context.store.in(realm).write((tx) => setUser(tx, asId<UserId>(adam.userId), values));
    expect(await receipts(max, id)).toEqual([mia.userId]);
    for (const [one, other] of [
      [max, mia],
      [mia, max],
    ] as const) {
      await one.post(`/users/me/muted_users/${other.userId}`);
      expect(await receipts(max, id)).toEqual([]);
      await one.delete(`/users/me/muted_users/${other.userId}`);
    }
    expect(await receipts(max, id)).toEqual([mia.userId]);
  });

  it('are given of direct messages too', async () => {
    const { max, mia, mona } = world;
    const { id } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
    await read(mia, [id]);
    expect(await receipts(max, id)).toEqual([mia.userId]);
    expect((await mona.refused('GET', `/messages/${id}/read_receipts`)).msg).toBe('Invalid message(s)');
  });
});
