import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import { setUser, type UserRow } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { join } from './join.ts';

const NEWCOMER = { full_name: 'Nina New', password: 'correct horse battery', timezone: 'Europe/Oslo' };

describe.each(databases)('invitations on %s', (database) => {
  let world: World;
  let mails: () => string[];
  beforeEach(async () => {
    world = await openWorld(database);
    world.server.context.jobs.start(world.server.context);
    mails = () => {
      const folder = joinPath(world.dataDir, 'mails');
      try {
        return readdirSync(folder)
          .filter((name) => name.endsWith('.eml'))
          .map((name) => readFileSync(joinPath(folder, name), 'utf8').replaceAll('=\r\n', ''));
      } catch {
        return [];
      }
    };
  });
  afterEach(() => world.close());

  const settled = () => world.server.context.jobs.idle();
  const keyIn = (mail: string | undefined) => /do_confirm\/([a-z2-7]{24})/.exec(mail ?? '')?.[1] ?? '';
  const accept = (key: string, newcomer = NEWCOMER) =>
    join({ context: world.server.context, realm: world.realm, cookies: {} }, key, newcomer);
  const clientOf = (joined: Awaited<ReturnType<typeof accept>>): Client => {
    if (!('user' in joined)) throw new Error('nobody joined');
    return world.clientOf(joined.user);
  };
  const invite = (who: Client, parameters: object) => who.post('/invites', { stream_ids: [], ...parameters });

  it('brings somebody in with the role, channels and notices that were offered (protocol/invitations#checks, protocol/invitations#joining)', async () => {
    const { olive, max, mia } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] });
    const { subscriptions } = (await max.register({ fetch_event_types: ['subscription'] })).state;
    const channel = subscriptions[0].stream_id;
    await invite(max, { invitee_emails: 'Nina <nina@roost.test>', stream_ids: [channel] });
    await settled();
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toContain('Max Member (member@roost.test) has invited you');
    const queues = [await olive.register(), await max.register(), await mia.register()] as const;
    const nina = clientOf(await accept(keyIn(mails()[0])));
    await settled();
    const kinds = (events: readonly Body[]) =>
      events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
    const joining = ['realm_user/add', 'user_group/add_members', 'user_group/add_members', 'subscription/peer_add'];
    const [added, ...rest] = joining;
    expect(kinds(await queues[0].events())).toEqual([added, 'realm_export_consent', ...rest, 'invites_changed']);
    expect(kinds(await queues[2].events())).toEqual(joining);
    const heard = await queues[1].events();
    expect(kinds(heard)).toEqual([...joining, 'invites_changed', 'message']);
    expect(heard.at(-1)).toMatchObject({
      message: { sender_full_name: 'Notification Bot', content: expect.stringContaining('accepted your invitation') },
    });
    expect(await nina.get('/users/me')).toMatchObject({ full_name: 'Nina New', role: 400, timezone: 'Europe/Oslo' });
    expect((await nina.register()).state['subscriptions']).toMatchObject([{ name: 'birds' }]);
    expect((await max.get('/invites'))['invites']).toEqual([]);
  });

  it('is told of and announced in the language of the organization', async () => {
    const { adam, max } = world;
    const { id } = await adam.post('/channels/create', { name: 'hall', subscribers: [max.userId] });
    await adam.patch('/realm', { signup_announcements_stream_id: id });
    await invite(max, { invitee_emails: 'nina@roost.test' });
    await settled();
    const queue = await max.register({ event_types: ['message'] });
    await inGerman(world, async () => {
      await accept(keyIn(mails()[0]));
      await settled();
    });
    const told = (await queue.events()).map(({ message }) => String(message.content).replace(/^@_\S+ New\S+ /, ''));
    expect(told).toEqual([
      'hat deine Einladung in diese Organisation angenommen.',
      'ist dieser Organisation beigetreten.',
    ]);
  });

  it('lets exactly one of fifty in by one key (security#holes, row 29)', async () => {
    await invite(world.max, { invitee_emails: 'nina@roost.test' });
    await settled();
    const key = keyIn(mails()[0]);
    const joined = await Promise.all(Array.from({ length: 50 }, () => accept(key)));
    expect(joined.filter((one) => 'user' in one)).toHaveLength(1);
    expect(joined.filter((one) => 'gone' in one)).toHaveLength(49);
    const { members } = await world.max.get('/users');
    expect(members.filter((user: UserRow) => user.email === 'nina@roost.test')).toHaveLength(1);
  });

  it('ends invitations on time, one second after (security#holes, row 10)', async () => {
    await invite(world.max, { invitee_emails: 'a@roost.test, b@roost.test', invite_expires_in_minutes: 1 });
    await settled();
    world.clock.advance(59_000);
    expect(await accept(keyIn(mails()[0]))).toHaveProperty('user');
    world.clock.advance(1_000);
    expect(await accept(keyIn(mails()[1]))).toEqual({ gone: true });
    expect((await world.max.get('/invites'))['invites']).toEqual([]);
  });

  it('can be listed however long they are good for', async () => {
    const { olive } = world;
    const link = (minutes: number) => ({ invite_expires_in_minutes: minutes, stream_ids: [] });
    await olive.post('/invites/multiuse', link(5_256_000));
    const { invites } = await olive.get('/invites');
    expect(invites[0].expiry_date).toBe(world.clock.now() + 5_256_000 * 60);
    expect((await olive.refused('POST', '/invites/multiuse', link(5_256_001))).msg).toBe(
      'invite_expires_in_minutes is too large',
    );
  });

  it('lists, resends and revokes; others see nothing (protocol/invitations#joining)', async () => {
    const { olive, adam, max, mia, gus } = world;
    await invite(max, { invitee_emails: 'nina@roost.test', invite_expires_in_minutes: null, invite_as: 600 });
    const { invites } = await max.get('/invites');
    const [{ id }] = invites;
    expect(invites).toEqual([
      {
        id,
        email: 'nina@roost.test',
        invited_by_user_id: max.userId,
        invited: world.clock.now(),
        expiry_date: null,
        invited_as: 600,
        is_multiuse: false,
        notify_referrer_on_join: true,
      },
    ]);
    expect((await adam.get('/invites'))['invites']).toEqual(invites);
    expect((await mia.get('/invites'))['invites']).toEqual([]);
    expect((await gus.refused('GET', '/invites')).msg).toBe('Not allowed for guest users');
    await max.post(`/invites/${id}/resend`);
    await settled();
    expect(mails().map(keyIn)).toEqual([keyIn(mails()[0]), keyIn(mails()[0])]);
    for (const [method, path] of [
      ['DELETE', `/invites/${id}`],
      ['POST', `/invites/${id}/resend`],
    ] as const) {
      expect(await mia.refused(method, path)).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Must be an organization administrator',
      });
    }
    expect((await max.refused('DELETE', '/invites/9999')).msg).toBe('No such invitation');
    expect((await max.refused('DELETE', `/invites/multiuse/${id}`)).msg).toBe('No such invitation');
    const queues = [await olive.register(), await max.register(), await mia.register()] as const;
    await adam.delete(`/invites/${id}`);
    expect(await queues[0].events()).toEqual([{ id: expect.any(Number), type: 'invites_changed' }]);
    expect(await queues[1].events()).toMatchObject([{ type: 'invites_changed' }]);
    expect(await queues[2].events()).toEqual([]);
    expect(await accept(keyIn(mails()[0]))).toEqual({ gone: true });
    expect((await max.refused('POST', `/invites/${id}/resend`)).msg).toBe('No such invitation');
  });

  it('needs an owner to manage what makes owners', async () => {
    const { olive, adam } = world;
    await invite(olive, { invitee_emails: 'nina@roost.test', invite_as: 100 });
    const [{ id }] = (await adam.get('/invites'))['invites'];
    expect(await adam.refused('DELETE', `/invites/${id}`)).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    });
    await olive.delete(`/invites/${id}`);
  });

  it('shows and gives up to administrators no more than they could make themselves', async () => {
    const { olive, adam } = world;
    await olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], invite_only: true });
    const { stream_id } = await olive.get('/get_stream_id', { stream: 'vault' });
    const owners = (await olive.post('/invites/multiuse', { invite_as: 100 }))['invite_link'];
    const vaults = (await olive.post('/invites/multiuse', { stream_ids: [stream_id] }))['invite_link'];
    const members = (await olive.post('/invites/multiuse', { invite_as: 400 }))['invite_link'];
    await invite(olive, { invitee_emails: 'nina@roost.test', stream_ids: [stream_id] });
    const links = async (who: typeof adam) =>
      (await who.get('/invites'))['invites'].map((row: { link_url?: string }) => row.link_url);
    expect(await links(olive)).toEqual([owners, vaults, members, undefined]);
    expect(await links(adam)).toEqual([undefined, undefined, members, undefined]);
    const [ownersId, vaultsId, membersId, mailedId] = (await adam.get('/invites'))['invites'].map(
      (row: { id: number }) => row.id,
    );
    const { email: addressee } = (await adam.get('/invites'))['invites'][3];
    expect(addressee).toBe('nina@roost.test');
    const not = 'Insufficient permission';
    expect((await adam.refused('DELETE', `/invites/multiuse/${ownersId}`)).msg).toBe('Must be an organization owner');
    expect((await adam.refused('DELETE', `/invites/multiuse/${vaultsId}`)).msg).toBe(not);
    expect((await adam.refused('DELETE', `/invites/${mailedId}`)).msg).toBe(not);
    expect((await adam.refused('POST', `/invites/${mailedId}/resend`)).msg).toBe(not);
    // Once it brings nothing hidden any more, it is an administrator's, too.
    await olive.delete(`/streams/${stream_id}`);
    expect(await links(adam)).toEqual([undefined, vaults, members, undefined]);
    await adam.delete(`/invites/multiuse/${vaultsId}`);
    await adam.delete(`/invites/multiuse/${membersId}`);
    const groups = world.realm.groups;
    const queue = await adam.register();
    await olive.patch('/realm', { create_multiuse_invite_group: { new: groups['role:owners'] } });
    await olive.post('/invites/multiuse', { invite_as: 400 });
    expect(await links(adam)).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(await queue.events())).not.toContain('/join/');
  });

  it('takes back what a role that was lowered may not offer any more', async () => {
    const { olive, adam } = world;
    await adam.post('/invites/multiuse', { invite_as: 200 });
    await adam.post('/invites/multiuse', { invite_as: 400 });
    const queue = await olive.register({ event_types: ['invites_changed'] });
    await olive.patch(`/users/${adam.userId}`, { role: 400 });
    expect(await queue.events()).toHaveLength(1);
    const { invites } = await adam.get('/invites');
    expect(invites).toMatchObject([{ invited_as: 400, link_url: expect.any(String) }]);
  });

  it('brings nobody where the inviter may not bring anybody any more (security#asvs, 8.3.2)', async () => {
    const { olive, max, mia } = world;
    const { subscribed } = await mia.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'nest' }, { name: 'den' }],
      invite_only: true,
      principals: [mia.userId, max.userId],
    });
    expect(subscribed[max.userId]).toHaveLength(2);
    const [nest, den] = await Promise.all(
      ['nest', 'den'].map(async (stream) => (await max.get('/get_stream_id', { stream }))['stream_id']),
    );
    const group = async (name: string) => {
      const can_add_members_group = { direct_members: [max.userId], direct_subgroups: [] };
      const made = await olive.post('/user_groups/create', {
        name,
        description: '',
        members: [],
        can_add_members_group,
      });
      return made['group_id'];
    };
    const groups = [await group('keepers'), await group('guards')];
    await invite(max, { invitee_emails: 'nina@roost.test', stream_ids: [nest, den], group_ids: groups });
    await settled();
    await mia.delete('/users/me/subscriptions', { subscriptions: ['nest'], principals: [max.userId] });
    await olive.patch(`/user_groups/${groups[0]}`, {
      can_add_members_group: { new: world.realm.groups['role:owners'] },
    });
    const nina = clientOf(await accept(keyIn(mails()[0])));
    expect((await nina.register()).state['subscriptions']).toMatchObject([{ name: 'den' }]);
    const members = await Promise.all(groups.map((id) => olive.get(`/user_groups/${id}/members`)));
    expect(members.map((one) => one['members'])).toEqual([[], [nina.userId]]);
  });

  it('makes links that are shown again and revoked once (protocol/invitations#links, protocol/invitations#joining)', async () => {
    const { adam, max } = world;
    expect((await max.refused('POST', '/invites/multiuse')).msg).toBe('Insufficient permission');
    const { invite_link } = await adam.post('/invites/multiuse', { invite_as: 300 });
    expect(invite_link).toMatch(/^http:\/\/localhost:9991\/join\/[a-z2-7]{24}\/$/);
    expect((await adam.post('/invites/multiuse'))['invite_link']).not.toBe(invite_link);
    const { invites } = await adam.get('/invites');
    expect(invites[0]).toEqual({
      id: expect.any(Number),
      link_url: invite_link,
      invited_by_user_id: adam.userId,
      invited: world.clock.now(),
      expiry_date: world.clock.now() + 14_400 * 60,
      invited_as: 300,
      is_multiuse: true,
    });
    await adam.delete(`/invites/multiuse/${invites[0].id}`);
    expect((await adam.refused('DELETE', `/invites/multiuse/${invites[0].id}`)).msg).toBe(
      'Invitation has already been revoked',
    );
  });

  it.each([
    ['gus', { invitee_emails: 'x@roost.test' }, 'BAD_REQUEST', 'Not allowed for guest users'],
    [
      'max',
      { invitee_emails: 'x@roost.test', invite_as: 100 },
      'UNAUTHORIZED_PRINCIPAL',
      'Must be an organization owner',
    ],
    ['max', { invitee_emails: 'x@roost.test', invite_as: 300 }, 'BAD_REQUEST', 'Must be an organization administrator'],
    [
      'max',
      { invitee_emails: 'x@roost.test', invite_as: 7 },
      'BAD_REQUEST',
      'Invalid invite_as: Value error, Not in the list of possible values',
    ],
    ['max', { invitee_emails: '' }, 'BAD_REQUEST', 'You must specify at least one email address.'],
    [
      'max',
      { invitee_emails: 'x@roost.test', stream_ids: [999] },
      'BAD_REQUEST',
      'Invalid channel ID 999. No invites were sent.',
    ],
    ['max', { invitee_emails: 'x@roost.test', group_ids: [999] }, 'BAD_REQUEST', 'Invalid user group'],
    ['max', { invitee_emails: 'x@roost.test', group_ids: [5] }, 'BAD_REQUEST', 'Insufficient permission'],
    [
      'max',
      { invitee_emails: 'x@roost.test', welcome_message_custom_text: '' },
      'BAD_REQUEST',
      'Must be an organization administrator',
    ],
    [
      'adam',
      { invitee_emails: 'x@roost.test', welcome_message_custom_text: 'x'.repeat(8001) },
      'BAD_REQUEST',
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
  ] as const)('refuses %s who sends %j (protocol/invitations#checks)', async (who, parameters, code, msg) => {
    const refused = await world[who].refused('POST', '/invites', { stream_ids: [], ...parameters });
    expect(refused).toMatchObject({ status: 400, code, msg });
    expect((await world.olive.get('/invites'))['invites']).toEqual([]);
  });

  it('invites 300 people at once, and refuses more without inviting anybody (protocol/invitations#checks)', async () => {
    const { max } = world;
    const addresses = (count: number) => Array.from({ length: count }, (_, index) => `n${index}@roost.test`).join('\n');
    const pending = async () => (await max.get('/invites'))['invites'].length;
    const tooMany = { status: 400, code: 'BAD_REQUEST', msg: 'You can invite at most 300 people at once.' };
    for (const count of [301, 2000])
      expect(await max.refused('POST', '/invites', { invitee_emails: addresses(count), stream_ids: [] })).toMatchObject(
        tooMany,
      );
    // As many, and each as long as addresses may be: the text itself is too long.
    const long = addresses(2000).replaceAll('n', 'n'.repeat(60));
    expect((await max.refused('POST', '/invites', { invitee_emails: long, stream_ids: [] })).status).toBe(400);
    expect(await pending()).toBe(0);
    await invite(max, { invitee_emails: addresses(300) });
    expect(await pending()).toBe(300);
  });

  it('lets a moderator invite moderators (protocol/invitations#checks)', async () => {
    await invite(world.mona, { invitee_emails: 'x@roost.test', invite_as: 300 });
  });

  it('offers no channel whose members the inviter may not add (security#holes, row 12)', async () => {
    const { olive, max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    const { subscriptions } = (await max.register({ fetch_event_types: ['subscription'] })).state;
    await world.server.context.store.write(async (tx) => {
      await tx.db.updateTable('realm').set({ can_add_subscribers_group: world.realm.groups['role:nobody'] }).execute();
      await tx.db
        .updateTable('channel')
        .set({ can_administer_channel_group: world.realm.groups['role:nobody'] })
        .execute();
    });
    const offer = { stream_ids: [subscriptions[0].stream_id] };
    const { msg } = await max.refused('POST', '/invites', { invitee_emails: 'x@roost.test', ...offer });
    expect(msg).toBe('You do not have permission to subscribe other users to channels.');
    await invite(max, { invitee_emails: 'x@roost.test', include_realm_default_subscriptions: true });
    await invite(olive, { invitee_emails: 'y@roost.test', ...offer });
  });

  it('invites the others when some have accounts, and says so (protocol/invitations#checks, checks 14 to 16)', async () => {
    const { max, mia, user, server, realm } = world;
    const gone = await user({ email: 'gone@roost.test' });
    await server.context.store.in(realm).write((tx) => setUser(tx, asId<UserId>(gone.userId), { is_active: false }));
    const none = { license_limit_reached: false, daily_limit_reached: false };
    const send = (invitee_emails: string) => max.refused('POST', '/invites', { invitee_emails, stream_ids: [] });
    expect(await send('nope, MEMBER2@roost.test\nnew@roost.test,me@mailinator.com')).toMatchObject({
      code: 'INVITATION_FAILED',
      msg: "Some emails did not validate, so we didn't send any invitations.",
      sent_invitations: false,
      errors: [
        ['nope', 'Invalid address.', false],
        ['me@mailinator.com', 'Please use your real email address.', false],
        ['MEMBER2@roost.test', 'Already has an account.', false],
      ],
      ...none,
    });
    expect(await send(`${mia.email},notification-bot@localhost`)).toMatchObject({ code: 'INVITATION_FAILED' });
    expect(await send('gone@roost.test')).toMatchObject({
      msg: "We weren't able to invite anyone.",
      sent_invitations: false,
      errors: [['gone@roost.test', 'Account has been deactivated.', true]],
      ...none,
    });
    expect((await max.get('/invites'))['invites']).toEqual([]);
    await user({ email: 'voice@roost.test', is_bot: true, is_system_bot: true });
    expect(await send('voice@roost.test')).toMatchObject({
      errors: [['voice@roost.test', 'Reserved for system bots.', false]],
    });
    expect(await send(`${mia.email},new@roost.test`)).toMatchObject({
      msg: "Some of those addresses are already using Roost, so we didn't send them an invitation. We did send invitations to everyone else!",
      sent_invitations: true,
      errors: [[mia.email, 'Already has an account.', false]],
    });
    expect((await max.get('/invites'))['invites']).toMatchObject([{ email: 'new@roost.test' }]);
    await max.post('/invites', { invitee_emails: ',', stream_ids: [] });
  });

  it('asks newcomers of an open organization to wait before they invite (protocol/invitations#checks, check 13)', async () => {
    const { max, adam, server, realm, clock } = world;
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { invite_required: false }));
    expect(await max.refused('POST', '/invites', { invitee_emails: 'x@roost.test', stream_ids: [] })).toMatchObject({
      code: 'INVITATION_FAILED',
      msg: expect.stringContaining('Your account is too new'),
      errors: [],
    });
    await invite(adam, { invitee_emails: 'x@roost.test' });
    clock.advance(3 * 86_400_000);
    await invite(max, { invitee_emails: 'y@roost.test' });
  });

  it('reminds two days before the end, while nobody has come (protocol/invitations#checks)', async () => {
    await invite(world.max, { invitee_emails: 'a@roost.test' });
    await invite(world.max, { invitee_emails: 'b@roost.test' });
    await settled();
    const [a] = mails().filter((mail) => mail.includes('To: a@'));
    await accept(keyIn(a));
    await settled();
    world.clock.advance(8 * 86_400_000);
    world.server.context.jobs.wake();
    await settled();
    const reminders = mails().filter((mail) => mail.includes('Subject: Reminder'));
    expect(reminders).toHaveLength(1);
    expect(reminders[0]).toContain('To: b@roost.test');
  });

  it("greets with the text of the invitation, the organization's, or none (protocol/invitations#checks)", async () => {
    const { olive, server, realm } = world;
    await server.context.store
      .in(realm)
      .write((tx) => setRealmSettings(tx, { welcome_message_custom_text: 'Hello all' }));
    const greeting = async (email: string, text: string | undefined) => {
      await invite(olive, { invitee_emails: email, welcome_message_custom_text: text });
      await settled();
      const mail = mails().find((candidate) => candidate.includes(`To: ${email}`));
      const client = clientOf(await accept(keyIn(mail)));
      await settled();
      const { messages } = await client.get('/messages', { anchor: 'newest', num_before: 5 });
      return messages.map((message: { content: string }) => message.content.split('\n').at(-1));
    };
    expect(await greeting('a@roost.test', 'Hello you')).toEqual(['<p>Hello you</p>']);
    expect(await greeting('b@roost.test', undefined)).toEqual(['<p>Hello all</p>']);
    expect(await greeting('c@roost.test', '')).toEqual([expect.stringContaining('Send me one of these words')]);
  });

  it('gives newcomers the settings that the organization gives (protocol/invitations#joining)', async () => {
    await world.olive.patch('/realm/user_settings_defaults', { twenty_four_hour_time: true });
    await invite(world.max, { invitee_emails: 'nina@roost.test' });
    await settled();
    const { state } = await clientOf(await accept(keyIn(mails()[0]))).register();
    expect(state['user_settings']).toMatchObject({ twenty_four_hour_time: true });
  });
});
