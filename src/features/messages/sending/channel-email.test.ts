import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('addresses of channels on %s', (database) => {
  let world: World;
  let open: number;
  let closed: number;
  let bot: Client;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max } = world;
    open = (await max.post('/channels/create', { name: 'Bird Watching', subscribers: [] }))['id'];
    closed = (await max.post('/channels/create', { name: 'ü', subscribers: [max.userId], invite_only: true }))['id'];
    bot = await world.user({ is_bot: true, bot_type: 1, bot_owner_id: max.userId as never });
  });
  afterAll(() => world.close());

  const address = async (client: Client, id: number, sender_id?: number): Promise<string> =>
    (await client.get(`/streams/${id}/email_address`, { sender_id }))['email'];
  const refusal = async (client: Client, id: number, sender_id?: number) =>
    (await client.refused('GET', `/streams/${id}/email_address`, { sender_id })).msg;

  it('are one for each channel, sender and caller (protocol/channels#reading-channels)', async () => {
    const { max, mia } = world;
    const general = await address(max, open);
    expect(general).toMatch(/^bird-watchin\.c1-[0-9a-z]+-0-[0-9a-z]+-[0-9a-f]{20}@localhost$/);
    expect(await address(max, open)).toBe(general);
    expect(await address(mia, open)).not.toBe(general);
    expect(await address(max, closed)).toMatch(/^c1-[0-9a-z-]+@localhost$/);
    const own = await address(max, open, max.userId);
    const ofBot = await address(max, open, bot.userId);
    expect(new Set([general, own, ofBot, await address(max, closed, max.userId)]).size).toBe(4);
  });

  it('are for those who may post, and speak for nobody else', async () => {
    const { max, mia, gus, adam, realm } = world;
    expect(await refusal(max, open, mia.userId)).toBe('No such user');
    expect(await refusal(mia, open, bot.userId)).toBe('No such user');
    expect(await refusal(max, open, 999_999)).toBe('No such user');
    for (const client of [gus, mia]) expect(await refusal(client, closed)).toBe('Invalid channel ID');
    expect(await refusal(max, 999_999)).toBe('Invalid channel ID');
    expect(await refusal(adam, closed)).toBe("Not authorized to send to channel 'ü'");
    await max.patch(`/streams/${open}`, { can_send_message_group: { new: realm.groups['role:moderators'] } });
    expect(await refusal(max, open)).toBe('You do not have permission to post in this channel.');
    await address(adam, open);
  });
});
