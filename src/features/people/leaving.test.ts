import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { plain } from '../../../test/support/pictures.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

describe.each(databases)('people who leave on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  const types = (events: readonly Body[] | undefined) =>
    (events ?? []).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
  const channel = async (name: string, people: readonly Client[], values: object = {}) => {
    const principals = people.map((person) => person.userId);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...values });
    const { subscriptions } = (await world.olive.register()).state;
    return subscriptions.find((one: Body) => one['name'] === name)['stream_id'];
  };
  const say = async (by: Client, to: number | readonly number[]) =>
    (
      await by.post('/messages', {
        type: typeof to === 'number' ? 'stream' : 'direct',
        to,
        content: 'hello',
        ...(typeof to === 'number' && { topic: 'greetings' }),
      })
    )['id'];
  const settled = () => world.server.context.jobs.idle();
  const start = () => world.server.context.jobs.start(world.server.context);

  it('take their bots along, and everybody drops them from channels and groups (protocol/users#deactivating)', async () => {
    const { olive, adam, max, mia, mona } = world;
    await channel('pier', [olive, max, mia]);
    await olive.post('/user_groups/create', { name: 'crew', description: '', members: [max.userId, mia.userId] });
    const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    const [seen] = await expectSync([mia, olive, mona], () => adam.delete(`/users/${max.userId}`));
    expect(seen).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: bot['user_id'], is_active: false } },
      { type: 'subscription', op: 'peer_remove', user_ids: [max.userId] },
      { type: 'realm_user', op: 'update', person: { user_id: max.userId, is_active: false } },
    ]);
    const { state } = await mia.register();
    const gone = state['realm_non_active_users'].map((user: Body) => user['user_id']);
    expect(gone).toEqual(expect.arrayContaining([max.userId, bot['user_id']]));
    expect(await max.refused('GET', '/users/me')).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
    const own = world.clientOf({ id: bot['user_id'], email: 'helper-bot@localhost', api_key_version: 1 });
    expect((await own.request('GET', '/users/me')).status).toBe(401);
    expect((await adam.refused('DELETE', `/users/${max.userId}`)).msg).toBe('User is deactivated');
  });

  it('are out at once: a poll that waits is answered, queues and sessions are gone (security#holes, row 13)', async () => {
    const { adam, max } = world;
    const queue = await max.register();
    const waiting = queue.wait();
    await untilParked(world, 1);
    await adam.delete(`/users/${max.userId}`);
    expect(await waiting).toEqual([]);
    expect(await max.refused('GET', '/events', { queue_id: queue.id, last_event_id: -1 })).toMatchObject({
      code: 'USER_DEACTIVATED',
    });
    await adam.post(`/users/${max.userId}/reactivate`);
    expect(await max.refused('GET', '/events', { queue_id: queue.id, last_event_id: -1 })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  it.runIf(database === 'postgres')('are out at once at other processes too', async () => {
    const { adam, max } = world;
    const other = await world.anotherServer();
    const queue = await max.at(other).register();
    const waiting = queue.wait();
    while (other.context.queues.parked === 0) await new Promise(setImmediate);
    await adam.delete(`/users/${max.userId}`);
    expect(await waiting).toEqual([]);
    expect(await max.at(other).refused('GET', '/users/me')).toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  it('may take messages of some kinds along, which go like deleted ones', async () => {
    const { olive, adam, max, mia } = world;
    const open = await channel('pier', [olive, max, mia]);
    const closed = await channel('hold', [olive, max, mia], { invite_only: true });
    const kept = await say(mia, open);
    const [first, second] = [await say(max, open), await say(max, open)];
    const secret = await say(max, closed);
    const direct = await say(max, [mia.userId]);
    const idsOf = async () =>
      (await mia.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] }))['messages']
        .filter((message: Body) => [kept, first, second, secret, direct].includes(message['id']))
        .map((message: Body) => message['id']);
    const queue = await mia.register();
    await adam.delete(`/users/${max.userId}`, { actions: { delete_public_channel_messages: true, more: 1 } });
    expect(await idsOf()).toEqual([kept, secret, direct]);
    const events = (await queue.events()).filter((event) => event['type'] === 'delete_message');
    expect(events.map((event) => event['message_id'])).toEqual([first, second]);
    await adam.post(`/users/${max.userId}/reactivate`);
    await adam.delete(`/users/${max.userId}`, {
      actions: { delete_private_channel_messages: true, delete_direct_messages: true },
    });
    expect(await idsOf()).toEqual([kept]);
  });

  it('lose the rest of very many messages soon after', async () => {
    const { olive, adam, max, mia } = world;
    start();
    const open = await channel('pier', [olive, max, mia]);
    await Promise.all(Array.from({ length: 205 }, () => say(max, open)));
    await adam.delete(`/users/${max.userId}`, { actions: { delete_public_channel_messages: true } });
    await settled();
    const narrow = [{ operator: 'sender', operand: max.userId }];
    const { messages } = await mia.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
    expect(messages).toEqual([]);
  });

  it('may lose their profile: name, picture and fields', async () => {
    const { olive, adam, max, mia } = world;
    const { id } = await olive.post('/realm/profile_fields', { name: 'Phone', field_type: 1 });
    await max.patch('/users/me/profile_data', { data: [{ id, value: '12' }] });
    const picture = await plain(10, 10).png().toBuffer();
    const { avatar_url } = (await max.send('POST', '/users/me/avatar', [{ name: 'a.png', content: picture }])).body;
    const [seen] = await expectSync([mia, olive], () =>
      adam.delete(`/users/${max.userId}`, { actions: { delete_profile: true } }),
    );
    expect(types(seen)).toEqual(Array.from({ length: 5 }, () => 'realm_user/update'));
    const { user } = await mia.get(`/users/${max.userId}`, { include_custom_profile_fields: true });
    expect(user).toMatchObject({ full_name: 'Deleted user', is_deleted: true, is_active: false, profile_data: {} });
    expect(user['avatar_url']).toContain('/generated/');
    expect((await world.spectator.fetch(avatar_url)).statusCode).toBe(404);
    expect((await mia.get(`/users/${adam.userId}`))['user']).not.toHaveProperty('is_deleted');
  });

  it('are told by mail when there is a comment, even an empty one', async () => {
    const { adam, max, mia, mona } = world;
    start();
    const leave = async (who: Client, fields: object) => {
      await adam.delete(`/users/${who.userId}`, { ...fields });
      await settled();
    };
    await leave(mona, {});
    expect(writtenMails(world.dataDir)).toEqual([]);
    await leave(max, { deactivation_notification_comment: '  Thank you for all the fish.  ' });
    await leave(mia, { deactivation_notification_comment: '' });
    const mails = writtenMails(world.dataDir);
    expect(mails).toHaveLength(2);
    const mailTo = (address: string) => mails.find((mail) => mail.includes(`<${address}>`));
    expect(mailTo('member@roost.test')).toContain('Thank you for all the fish.');
    expect(mailTo('member@roost.test')).toContain('Roost Test (http://localhost:9991) has been deactivated');
    expect(mailTo('member2@roost.test')).not.toContain('comment');
  });

  it('get no mail that still waits for them', async () => {
    const { adam, max } = world;
    await world.server.context.store.in(world.realm).write(async (tx) => {
      const { queueMail } = await import('#features/mails');
      await queueMail(tx, {
        to: { address: max.email },
        subject: 'late',
        text: 'late',
      });
    });
    await adam.delete(`/users/${max.userId}`);
    start();
    await settled();
    expect(writtenMails(world.dataDir)).toEqual([]);
  });

  it('take their invitations back, which administrators hear of', async () => {
    const { adam, max, mia } = world;
    await max.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const [admin, member] = [await adam.register(), await mia.register()];
    await adam.delete(`/users/${max.userId}`);
    expect(types(await admin.events())).toEqual(['invites_changed', 'realm_user/update']);
    expect(types(await member.events())).toEqual(['realm_user/update']);
    expect((await adam.get('/invites'))['invites']).toEqual([]);
  });

  it('are refused to others, in the documented order', async () => {
    const { olive, adam, max, mia, gus } = world;
    const refused = async (client: Client, id: number, fields: object = {}) => {
      const { code, msg } = await client.refused('DELETE', `/users/${id}`, { ...fields });
      return code === 'BAD_REQUEST' ? msg : `${code}: ${msg}`;
    };
    const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    const deactivation_notification_comment = 'x'.repeat(2001);
    expect(await refused(max, 999_999, { deactivation_notification_comment })).toBe(
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    );
    expect(await refused(adam, mia.userId, { actions: { delete_profile: 1 } })).toBe(
      'actions["delete_profile"] is not a boolean',
    );
    expect(await refused(max, 999_999)).toBe('No such user');
    expect(await refused(adam, bot['user_id'])).toBe('No such user');
    for (const client of [max, gus]) expect(await refused(client, mia.userId)).toBe('Insufficient permission');
    expect(await refused(max, max.userId)).toBe('Insufficient permission');
    expect(await refused(adam, olive.userId)).toBe('UNAUTHORIZED_PRINCIPAL: Must be an organization owner');
    expect(await refused(olive, olive.userId)).toBe('Cannot deactivate the only organization owner');
    await adam.delete(`/users/${mia.userId}`);
    expect(await refused(max, mia.userId)).toBe('User is deactivated');
    await adam.delete(`/users/${adam.userId}`);
    expect((await adam.request('GET', '/users/me')).status).toBe(401);
  });

  it('leave an owner, also when two let each other go at once', async () => {
    const { olive } = world;
    const second = await world.user({ full_name: 'Otis Owner', role: 100 });
    const replies = await Promise.all([
      olive.request('DELETE', `/users/${second.userId}`),
      second.request('DELETE', `/users/${olive.userId}`),
    ]);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  });

  it('may let themselves go, but not as the last one (protocol/users#reactivating)', async () => {
    const { olive, adam, mona, max, mia, gus } = world;
    const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    const helper = world.clientOf({ id: bot['user_id'], email: 'helper-bot@localhost', api_key_version: 1 });
    expect((await helper.refused('DELETE', '/users/me')).msg).toBe('This endpoint does not accept bot requests.');
    expect(await olive.refused('DELETE', '/users/me')).toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot deactivate the only organization owner.',
      is_last_owner: true,
      entity: 'organization owner',
    });
    const [seen] = await expectSync([olive], () => max.delete('/users/me'));
    expect(types(seen)).toEqual(['realm_user/update', 'realm_user/update']);
    for (const person of [adam, mona, mia, gus]) await person.delete('/users/me');
    expect(await olive.refused('DELETE', '/users/me')).toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot deactivate the only user.',
      is_last_owner: false,
      entity: 'user',
    });
  });

  describe('may return', () => {
    it('to their channels and groups; their bots stay away until brought back', async () => {
      const { olive, adam, max, mia } = world;
      await channel('pier', [olive, max, mia]);
      await channel('hold', [olive, max], { invite_only: true });
      const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
      await adam.delete(`/users/${max.userId}`);
      const [seen, byMia] = await expectSync([olive, mia], () => adam.post(`/users/${max.userId}/reactivate`));
      expect(types(seen)).toEqual([
        'realm_user/update',
        'realm_export_consent',
        'user_group/add_members',
        'user_group/add_members',
        'subscription/peer_add',
        'subscription/peer_add',
      ]);
      expect(types(byMia)).not.toContain('realm_export_consent');
      const names = (await max.register()).state['subscriptions'].map((one: Body) => one['name']);
      expect(names).toEqual(['hold', 'pier']);
      expect((await expectSync([olive], () => adam.post(`/users/${max.userId}/reactivate`)))[0]).toEqual([]);
      await expectSync([olive, max, mia], () => max.post(`/users/${bot['user_id']}/reactivate`));
      expect((await max.get('/bots'))['bots']).toHaveLength(1);
    });

    it('by administrators, and bots by their owners where names and rights allow it', async () => {
      const { olive, adam, max, mia } = world;
      const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
      const path = `/users/${bot['user_id']}/reactivate`;
      const refused = async (client: Client, url: string) => {
        const { code, msg } = await client.refused('POST', url);
        return code === 'BAD_REQUEST' ? msg : `${code}: ${msg}`;
      };
      await max.delete(`/bots/${bot['user_id']}`);
      expect(await refused(mia, '/users/999999/reactivate')).toBe('No such user');
      expect(await refused(mia, path)).toBe('Insufficient permission');
      expect(await refused(mia, `/users/${max.userId}/reactivate`)).toBe('Insufficient permission');
      await max.post('/bots', { full_name: 'helper', short_name: 'second' });
      expect(await refused(max, path)).toBe(
        'There is already an active bot named "Helper" in this organization. To reactivate this bot, you must rename or deactivate the other one first.',
      );
      await adam.delete(`/users/${max.userId}`);
      await expectSync([olive, adam, mia], () => adam.post(path));
      expect((await mia.get(`/users/${bot['user_id']}`))['user']).toMatchObject({
        bot_owner_id: adam.userId,
        is_active: true,
      });
      // Who had the bot before is outside now, and knows its old key.
      expect((await adam.get(`/bots/${bot['user_id']}/api_key`))['api_key']).not.toBe(bot['api_key']);
      const owner = await world.user({ full_name: 'Otis Owner', role: 100 });
      await olive.delete(`/users/${owner.userId}`);
      expect(await refused(adam, `/users/${owner.userId}/reactivate`)).toBe(
        'UNAUTHORIZED_PRINCIPAL: Must be an organization owner',
      );
    });
  });
});
