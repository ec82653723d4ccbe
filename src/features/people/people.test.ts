import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import { setUser } from '#features/users';
import { asId, type UserId } from '#kernel/ids';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const PASSWORD = 'correct horse battery';

describe.each(databases)('people on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await permit(world.adam, true);
    await permit(world.olive, true);
  });
  afterAll(() => world.close());

  const permit = ({ userId }: Client, may_manage_accounts: boolean) =>
    world.server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId<UserId>(userId), { may_manage_accounts }));
  const setting = (values: object) =>
    world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, values));
  /** The client of an account that goes on working when its address changes. */
  const lasting = ({ userId }: Client) =>
    world.clientOf({
      id: userId,
      email: `user${userId}@${world.realm.host}`,
      api_key_version: 1,
    });
  const everybody = () => [world.olive, world.adam, world.mona, world.max, world.gus];
  const shown = async (userId: number): Promise<Body> => (await world.olive.get(`/users/${userId}`))['user'];

  describe('are created by administrators whom the operator lets do that', () => {
    it('with everything a newcomer gets, seen by all (protocol/users#operations)', async () => {
      const { olive, adam } = world;
      const { streams } = (await olive.register()).state;
      expect(streams).toEqual([]);
      await olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'lobby' }] });
      const { subscriptions } = (await olive.register()).state;
      await olive.post('/default_streams', { stream_id: subscriptions[0]['stream_id'] });
      const sent = { email: 'new@roost.test', password: PASSWORD, full_name: ' Nora New ' };
      let id = 0;
      const [events] = await expectSync(everybody(), async () => {
        id = (await adam.post('/users', sent))['user_id'];
      });
      expect(events).toMatchObject([
        { type: 'realm_user', op: 'add', person: { user_id: id, full_name: 'Nora New', role: 400, is_active: true } },
        { type: 'realm_export_consent', user_id: id, consented: false },
        { type: 'user_group', op: 'add_members', user_ids: [id] },
        { type: 'user_group', op: 'add_members', user_ids: [id] },
        { type: 'subscription', op: 'peer_add', user_ids: [id] },
      ]);
      const { api_key } = await world.spectator.post('/fetch_api_key', { username: sent.email, password: PASSWORD });
      expect(api_key).toMatch(/^\w{32}$/);
    });

    it('and refused to others, in the documented order', async () => {
      const sent = { email: 'x', password: '1', full_name: 'x' };
      const refused = async (client: Client, fields: object) => {
        const { code, msg } = await client.refused('POST', '/users', { ...sent, ...fields });
        return code === 'BAD_REQUEST' ? msg : `${code}: ${msg}`;
      };
      expect(await refused(world.max, {})).toBe('UNAUTHORIZED_PRINCIPAL: Must be an organization administrator');
      await permit(world.adam, false);
      expect(await refused(world.adam, {})).toBe('User not authorized to create users');
      await permit(world.adam, true);
      const by = (fields: object) => refused(world.adam, fields);
      expect(await by({})).toBe('Name too short!');
      expect(await by({ full_name: 'x'.repeat(101) })).toBe('Name too long!');
      expect(await by({ full_name: 'a*b' })).toBe('Invalid characters in name!');
      expect(await by({ full_name: 'Ann|12' })).toBe('Invalid format!');
      const named = { full_name: 'Max Member' };
      expect(await by(named)).toBe('Bad name or username');
      expect(await by({ ...named, email: 'a@mailinator.com' })).toBe(
        'Disposable email addresses are not allowed in this organization',
      );
      expect(await by({ ...named, email: 'MEMBER@roost.test' })).toBe('Email is already in use.');
      expect(await by({ ...named, email: 'a@roost.test' })).toBe('The password is too weak.');
      await setting({ emails_restricted_to_domains: true });
      await world.olive.post('/realm/domains', { domain: 'roost.test', allow_subdomains: false });
      expect(await by({ ...named, email: 'a@elsewhere.test' })).toBe(
        "Email 'a@elsewhere.test' not allowed in this organization",
      );
      await world.olive.delete('/realm/domains/roost.test');
      await setting({ require_unique_names: true });
      expect(await by({ full_name: 'ＭAX member' })).toBe('Unique names required in this organization.');
      await setting({});
    });

    it('once each, however many ask at the same time', async () => {
      const sent = { email: 'twice@roost.test', password: PASSWORD, full_name: 'Tina Twice' };
      const replies = await Promise.all([1, 2, 3].map(() => world.adam.request('POST', '/users', sent)));
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    });
  });

  describe('are listed', () => {
    it('all, or those named; unknown ones are left out', async () => {
      const { max, mia, gus } = world;
      const ids = async (fields: object) =>
        (await max.get('/users', { ...fields }))['members'].map((user: Body) => user['user_id']);
      expect(await ids({ user_ids: [mia.userId, gus.userId, 999_999] })).toEqual([mia.userId, gus.userId]);
      expect(await ids({ user_ids: [] })).toEqual([]);
      expect(await ids({})).toEqual(expect.arrayContaining([world.olive.userId, gus.userId]));
    });
  });

  describe('are changed', () => {
    it('in name by administrators, and everybody hears of it once', async () => {
      const { adam, mia } = world;
      const path = `/users/${mia.userId}`;
      const [events] = await expectSync(everybody(), () => adam.patch(path, { full_name: ' Mia Renamed ' }));
      expect(events).toEqual([
        expect.objectContaining({ op: 'update', person: { user_id: mia.userId, full_name: 'Mia Renamed' } }),
      ]);
      for (const full_name of ['Mia Renamed', '', '  '])
        expect((await expectSync([adam], () => adam.patch(path, { full_name })))[0]).toEqual([]);
      await adam.patch('/users/member2@roost.test', { full_name: 'Mia Member' });
      expect((await shown(mia.userId))['full_name']).toBe('Mia Member');
    });

    it('in role, with the groups that follow (protocol/permissions#roles, protocol/events#order)', async () => {
      const { olive, mia, realm } = world;
      const path = `/users/${mia.userId}`;
      const [events] = await expectSync([...everybody(), mia], () => olive.patch(path, { role: 200 }));
      expect(events).toMatchObject([
        { type: 'realm_user', op: 'update', person: { user_id: mia.userId, role: 200 } },
        { type: 'user_group', op: 'remove_members', group_id: realm.groups['role:members'] },
        { type: 'user_group', op: 'remove_members', group_id: realm.groups['role:fullmembers'] },
        { type: 'user_group', op: 'add_members', group_id: realm.groups['role:administrators'] },
      ]);
      expect(await shown(mia.userId)).toMatchObject({ role: 200, is_admin: true, is_owner: false });
      await expectSync([...everybody(), mia], () => olive.patch(path, { role: 600 }));
      const [none] = await expectSync([mia], () => olive.patch(path, { role: 600 }));
      expect(none).toEqual([]);
      await expectSync([...everybody(), mia], () => olive.patch(path, { role: 400 }));
    });

    it('in address by administrators whom the operator lets, seen as far as the address is', async () => {
      const { adam, max, mona } = world;
      const user = lasting(
        await world.user({ full_name: 'Eve Mail', email_address_visibility: 5, avatar_source: 'G' }),
      );
      const sent = { new_email: ' Eve@roost.test ' };
      const [, byMona, byMax, own] = await expectSync([adam, mona, max, user], () =>
        adam.patch(`/users/${user.userId}`, sent),
      );
      const told = (events: Body[] | undefined) => (events ?? []).map((event) => Object.keys(event['person']).join());
      const avatar = 'user_id,avatar_source,avatar_version,avatar_url,avatar_url_medium';
      expect(told(byMona)).toEqual(['user_id,delivery_email', avatar]);
      expect(told(own)).toEqual(['user_id,delivery_email', avatar]);
      expect(told(byMax)).toEqual([avatar]);
      expect(JSON.stringify(byMax).toLowerCase()).not.toContain('eve@roost.test');
      expect((await mona.get(`/users/${user.userId}`))['user']['delivery_email']).toBe('Eve@roost.test');
      const open = lasting(await world.user({ full_name: 'Otto Open' }));
      const [seen] = await expectSync([max, open], () =>
        adam.patch(`/users/${open.userId}`, { new_email: 'o@o.test' }),
      );
      expect(seen).toMatchObject([
        { person: { user_id: open.userId, delivery_email: 'o@o.test' } },
        { person: { user_id: open.userId, new_email: 'o@o.test' } },
      ]);
    });

    it('by nobody who may not, in the documented order', async () => {
      const { olive, adam, max, mia, gus } = world;
      const refused = async (client: Client, id: number, fields: object) => {
        const { code, msg } = await client.refused('PATCH', `/users/${id}`, { ...fields });
        return code === 'BAD_REQUEST' ? msg : `${code}: ${msg}`;
      };
      const owner = 'UNAUTHORIZED_PRINCIPAL: Must be an organization owner';
      expect(await refused(max, 999_999, {})).toBe('No such user');
      expect(await refused(max, mia.userId, { full_name: 'x' })).toBe('Insufficient permission');
      expect(await refused(max, max.userId, { role: 200 })).toBe('Insufficient permission');
      expect(await refused(gus, mia.userId, {})).toBe('Insufficient permission');
      await permit(adam, false);
      expect(await refused(adam, mia.userId, { new_email: 'x', role: 100 })).toBe(
        'User not authorized to change user emails',
      );
      await permit(adam, true);
      expect(await refused(adam, olive.userId, { new_email: 'a@roost.test' })).toBe(owner);
      expect(await refused(adam, mia.userId, { role: 250 })).toBe('Invalid role');
      expect(await refused(adam, mia.userId, { role: 100 })).toBe(owner);
      expect(await refused(adam, adam.userId, { role: 100 })).toBe(owner);
      expect(await refused(adam, olive.userId, { role: 400 })).toBe(owner);
      expect(await refused(olive, olive.userId, { role: 200, full_name: 'x' })).toBe(
        'The owner permission cannot be removed from the only organization owner.',
      );
      expect(await refused(adam, mia.userId, { full_name: 'x', new_email: 'x' })).toBe('Name too short!');
      expect(await refused(adam, mia.userId, { new_email: 'x' })).toBe('Invalid new email address.');
      const taken = (why: string) => `New email value error: ${why}`;
      expect(await refused(adam, mia.userId, { new_email: 'Member@roost.test' })).toBe(
        taken('Already has an account.'),
      );
      expect(await refused(adam, mia.userId, { new_email: 'welcome-bot@localhost:9991' })).toMatch(/email/i);
      expect((await shown(mia.userId))['role']).toBe(400);
    });

    it('so that an owner is left, also when two owners demote each other at once', async () => {
      const { olive } = world;
      const second = await world.user({ full_name: 'Otis Owner', role: 100 });
      const replies = await Promise.all([
        olive.request('PATCH', `/users/${second.userId}`, { role: 200 }),
        second.request('PATCH', `/users/${olive.userId}`, { role: 200 }),
      ]);
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      const owners = (await world.max.get('/users'))['members'].filter((user: Body) => user['is_owner']);
      expect(owners).toHaveLength(1);
      const left = owners[0]['user_id'] === olive.userId ? olive : second;
      await left.patch(`/users/${olive.userId}`, { role: 100 });
      if (left !== olive) await left.patch(`/users/${second.userId}`, { role: 200 });
    });

    it('for a bot by its owner, but not in role', async () => {
      const { max, mia } = world;
      const bot = await max.post('/bots', { full_name: 'Helper', short_name: 'helper' });
      await max.patch(`/users/${bot['user_id']}`, { full_name: 'Helper Two' });
      expect((await shown(bot['user_id']))['full_name']).toBe('Helper Two');
      const refusal = await max.refused('PATCH', `/users/${bot['user_id']}`, { role: 200 });
      expect(refusal).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' });
      const other = await mia.refused('PATCH', `/users/${bot['user_id']}`, { full_name: 'Stolen' });
      expect(other['msg']).toBe('Insufficient permission');
    });
  });
});
