import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../test/support/databases.ts';
import { WebAccount } from '../../test/support/web.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import type { Message } from '../messages/index.ts';
import { alertsFor } from './notifications.ts';

describe.each(databases)('notifications on the screen on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** Somebody in a channel, and the alerts that they get of a message. */
  async function scene(settings: Readonly<Record<string, string | boolean>> = {}) {
    const [ada, ben] = [await world.user(), await world.user()];
    const name = `nest ${ada.userId}`;
    for (const client of [ada, ben]) await client.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    if (Object.keys(settings).length > 0) await ada.patch('/settings', settings);
    const account = new WebAccount(world, ada);
    await account.register();
    const [channel] = [...account.model.channels.table.peekAll()].filter(([, row]) => row.channel.name === name);
    const id = channel?.[0] ?? 0;
    const said = async (content: string, to: 'channel' | 'ada' = 'channel'): Promise<Message> => {
      const target = to === 'ada' ? { type: 'direct', to: [ada.userId] } : { type: 'stream', to: id, topic: 'eggs' };
      const { id: message_id } = await ben.post('/messages', { ...target, content });
      const found = await ada.get('/messages', { anchor: message_id, num_before: 0, num_after: 0, narrow: [] });
      return found.messages[0] as Message;
    };
    return { ada, ben, account, id, said, alerts: (message: Message) => alertsFor(account.model, message) };
  }
  const [both, none] = [
    { isShown: true, isHeard: true },
    { isShown: false, isHeard: false },
  ];

  it('tell of direct messages and mentions, and of nothing else at first', async () => {
    const { ada, alerts, said } = await scene();
    expect(alerts(await said('psst', 'ada'))).toEqual(both);
    expect(alerts(await said(`@**|${ada.userId}** look`))).toEqual(both);
    expect(alerts(await said('@**all** look'))).toEqual(both);
    expect(alerts(await said('nothing special'))).toEqual(none);
  });

  it('tell of a followed topic and of a channel that one wants to hear of, but not of a muted topic', async () => {
    const { ada, id, account, alerts, said } = await scene();
    const set = (visibility_policy: number) =>
      ada.post('/user_topics', { stream_id: id, topic: 'eggs', visibility_policy });
    await set(3);
    await account.catchUp();
    expect(alerts(await said('one more'))).toEqual(both);
    await set(1);
    const properties = [{ stream_id: id, property: 'desktop_notifications', value: true }];
    await ada.post('/users/me/subscriptions/properties', { subscription_data: properties });
    await account.catchUp();
    expect(alerts(await said('muted'))).toEqual(none);
    await set(0);
    await account.catchUp();
    expect(alerts(await said('heard of'))).toEqual({ isShown: true, isHeard: false });
  });

  it('are silent and unseen as the person wants', async () => {
    const quiet = await scene({ notification_sound: 'none' });
    expect(quiet.alerts(await quiet.said('psst', 'ada'))).toEqual({ isShown: true, isHeard: false });
    const unseen = await scene({ enable_desktop_notifications: false });
    expect(unseen.alerts(await unseen.said('psst', 'ada'))).toEqual({ isShown: false, isHeard: true });
  });

  it('tell nothing of people who are muted, and of what is read', async () => {
    const { ada, ben, account, alerts, said } = await scene();
    const message = await said('psst', 'ada');
    expect(alerts({ ...message, flags: ['read'] })).toEqual(none);
    await ada.post(`/users/me/muted_users/${ben.userId}`);
    await account.catchUp();
    expect(alerts(message)).toEqual(none);
  });
});
