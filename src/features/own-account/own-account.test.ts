import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setRealmSettings } from '#features/realms';
import { hashPassword, setPasswordHash } from '#features/sign-in';
import { asId, type UserId } from '#kernel/ids';
import { Visitor } from '../../../test/support/browser-client.ts';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const OLD = 'roost-demo-password';
const NEW = 'another fine secret';

describe.each(databases)('the own account on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { rateLimits: 'on' });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  const settled = () => world.server.context.jobs.idle();
  const setting = (values: object) =>
    world.server.context.store.in(world.realm).write((tx) => setRealmSettings(tx, values));
  const refused = async (client: Client, fields: object) =>
    (await client.refused('PATCH', '/settings', { ...fields })).msg;
  const login = (username: string, password: string) =>
    world.spectator.request('POST', '/fetch_api_key', { username, password });

  describe('changes its name', () => {
    it('and everybody hears of it once', async () => {
      const { max, mia } = world;
      const [seen] = await expectSync([mia, max], () => max.patch('/settings', { full_name: ' Maximilian ' }));
      expect(seen).toMatchObject([
        { type: 'realm_user', op: 'update', person: { user_id: max.userId, full_name: 'Maximilian' } },
      ]);
      for (const full_name of ['Maximilian', ' '])
        expect((await expectSync([max], () => max.patch('/settings', { full_name })))[0]).toEqual([]);
    });

    it('unless the name is bad, taken, or not for it to change', async () => {
      const { max, adam } = world;
      expect(await refused(max, { full_name: 'x' })).toBe('Name too short!');
      await setting({ require_unique_names: true });
      expect(await refused(max, { full_name: 'mia MEMBER' })).toBe('Unique names required in this organization.');
      await max.patch('/settings', { full_name: 'MAX Member' });
      await setting({ name_changes_disabled: true });
      await max.patch('/settings', { full_name: 'Another' });
      expect((await max.get('/users/me'))['full_name']).toBe('MAX Member');
      await adam.patch('/settings', { full_name: 'Adam Anew' });
      expect((await adam.get('/users/me'))['full_name']).toBe('Adam Anew');
    });
  });

  describe('changes its password', () => {
    it('and everybody who had got in with the old one is out (security#asvs, 7.4.3)', async () => {
      const { olive } = world;
      const browser = new Visitor(world.server);
      await browser.get('/login/');
      await browser.post('/login/', { username: olive.email, password: OLD });
      expect((await browser.get('/')).status).toBe(200);
      const queue = await olive.register();
      await olive.patch('/settings', { old_password: OLD, new_password: NEW });
      expect((await browser.get('/')).location).toBe('/login/');
      expect((await olive.request('GET', '/users/me')).status).toBe(401);
      expect((await login(olive.email, OLD)).status).toBe(401);
      const { body } = await login(olive.email, NEW);
      const again = world.clientOf({ id: olive.userId, email: olive.email, api_key_version: 2 });
      expect(again.apiKey).toBe(body['api_key']);
      await expect(queue.at(again).events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    });

    it('but not to a weak one, nor by guessing', async () => {
      const { olive, max } = world;
      expect(await refused(olive, { old_password: OLD, new_password: 'x' })).toBe('New password is too weak!');
      expect(await refused(olive, { old_password: OLD, new_password: olive.email })).toBe('New password is too weak!');
      expect(await refused(max, { old_password: '', new_password: NEW })).toBe('Wrong password!');
      for (let i = 0; i < 5; i++) expect(await refused(olive, { new_password: NEW })).toBe('Wrong password!');
      expect(await refused(olive, { old_password: OLD, new_password: NEW })).toMatch(
        /^You're making too many attempts! Try again in \d+ seconds\.$/,
      );
      expect((await login(olive.email, OLD)).status).toBe(429);
    });

    it('together with all else or not at all', async () => {
      const { olive } = world;
      const sent = { enter_sends: true, full_name: 'Olive Other', old_password: OLD };
      expect(await refused(olive, { ...sent, new_password: 'x' })).toBe('New password is too weak!');
      expect(await refused(olive, { ...sent, full_name: 'x', new_password: NEW })).toBe('Name too short!');
      const { user_settings, full_name } = (await olive.register()).state;
      expect([user_settings['enter_sends'], full_name]).toEqual([false, 'Olive Owner']);
      expect((await login(olive.email, OLD)).status).toBe(200);
    });
  });

  describe('changes its address', () => {
    const linkIn = (mail: string | undefined) => /\/accounts\/confirm_new_email\/(\w+)/.exec(mail ?? '')?.[0] ?? '';
    const ask = async (client: Client, email: string) => {
      const before = new Set(writtenMails(world.dataDir));
      await client.patch('/settings', { email });
      await settled();
      return linkIn(writtenMails(world.dataDir).find((mail) => !before.has(mail) && linkIn(mail) !== ''));
    };

    it('once the owner of the new one has said so, and the old one is told', async () => {
      const { max, mia } = world;
      const link = await ask(max, ' Maxim@roost.test ');
      expect((await max.get('/users/me'))['delivery_email']).toBe(max.email);
      const visitor = new Visitor(world.server);
      const queue = await mia.register();
      expect((await visitor.get(link)).text).toContain('Maxim@roost.test');
      expect((await max.get('/users/me'))['delivery_email']).toBe(max.email);
      expect(await visitor.post(link, {})).toMatchObject({ status: 200 });
      expect(await queue.events()).toMatchObject([
        { type: 'realm_user', op: 'update', person: { user_id: max.userId, delivery_email: 'Maxim@roost.test' } },
        { type: 'realm_user', op: 'update', person: { user_id: max.userId, new_email: 'Maxim@roost.test' } },
      ]);
      const moved = world.clientOf({ id: max.userId, email: 'maxim@roost.test', api_key_version: 1 });
      expect((await moved.get('/users/me'))['email']).toBe('Maxim@roost.test');
      await settled();
      const told = writtenMails(world.dataDir).find((mail) => mail.includes('has changed'));
      expect(told).toContain('To: Max Member <member@roost.test>');
      expect(await visitor.post(link, {})).toMatchObject({ status: 404 });
      expect((await visitor.get(link)).status).toBe(404);
    });

    it('with the newest link only, for a day, once, and not when the address has gone meanwhile', async () => {
      const { max, mia, olive } = world;
      const visitor = new Visitor(world.server);
      const [old, fresh] = [await ask(max, 'one@roost.test'), await ask(max, 'two@roost.test')];
      expect((await visitor.get(old)).status).toBe(404);
      expect((await visitor.get(fresh)).status).toBe(200);
      world.clock.advance(86_400_000);
      expect((await visitor.get(fresh)).status).toBe(404);
      const taken = await ask(mia, 'three@roost.test');
      await visitor.get(taken);
      await world.user({ email: 'Three@roost.test' });
      expect(await visitor.post(taken, {})).toMatchObject({ status: 400 });
      expect((await mia.get('/users/me'))['delivery_email']).toBe(mia.email);
      const late = await ask(mia, 'five@roost.test');
      await visitor.get(late);
      await setting({ email_changes_disabled: true });
      const refusal = await visitor.post(late, {});
      expect(refusal.status).toBe(400);
      expect(refusal.text).toContain('Email address changes are disabled in this organization.');
      await setting({});
      expect((await mia.get('/users/me'))['delivery_email']).toBe(mia.email);
      const dead = await ask(world.mona, 'four@roost.test');
      await visitor.get(dead);
      await olive.delete(`/users/${world.mona.userId}`);
      expect(await visitor.post(dead, {})).toMatchObject({ status: 404 });
    });

    it('to none that may not be, and not all the time (protocol/settings#changing)', async () => {
      const { max, adam, mia } = world;
      expect(await refused(max, { email: 'nowhere' })).toBe('Invalid address.');
      expect(await refused(max, { email: 'MEMBER2@roost.test' })).toBe('Already has an account.');
      await setting({ email_changes_disabled: true });
      expect(await refused(max, { email: 'nowhere' })).toBe('Email address changes are disabled in this organization.');
      expect(await ask(adam, 'adam@roost.test')).not.toBe('');
      await setting({});
      await max.patch('/settings', { email: max.email });
      for (const email of ['a@roost.test', 'b@roost.test']) await max.patch('/settings', { email });
      expect(await max.refused('PATCH', '/settings', { email: 'c@roost.test' })).toMatchObject({
        status: 429,
        code: 'RATE_LIMIT_HIT',
      });
      await mia.patch('/settings', { email: 'c@roost.test' });
    });
  });

  it('gets a new key, and the old one is dead at once (protocol/authentication#sign-in)', async () => {
    const { max, mia } = world;
    const { api_key } = await max.post('/users/me/api_key/regenerate');
    expect(await max.refused('GET', '/users/me')).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    const renewed = world.clientOf({ id: max.userId, email: max.email, api_key_version: 2 });
    expect(renewed.apiKey).toBe(api_key);
    await renewed.get('/users/me');
    const bot = await mia.post('/bots', { full_name: 'Helper', short_name: 'helper' });
    const own = world.clientOf({ id: bot['user_id'], email: 'helper-bot@localhost', api_key_version: 1 });
    const { api_key: next } = await own.post('/users/me/api_key/regenerate');
    expect((await mia.get(`/bots/${bot['user_id']}/api_key`))['api_key']).toBe(next);
  });

  it('is for people', async () => {
    const bot = await world.user({ is_bot: true, bot_type: 1 });
    expect(await refused(bot, { full_name: 'Botty' })).toBe('This endpoint does not accept bot requests.');
    const hash = await hashPassword(OLD);
    await world.server.context.store
      .in(world.realm)
      .write((tx) => setPasswordHash(tx, asId<UserId>(world.gus.userId), hash));
    await world.gus.patch('/settings', { old_password: OLD, new_password: NEW });
    expect((await login(world.gus.email, NEW)).status).toBe(200);
  });
});
