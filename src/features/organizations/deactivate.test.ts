import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';
import { reactivateRealm } from './deactivate.ts';

describe.each(databases)('an organization taken out of use on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  const soon = () => world.clock.now() + 3600;
  const reopen = () => reactivateRealm(world.server.context, world.realm);

  /** The key in the invitation whose mail waits to be sent. */
  const waitingKey = async () => {
    const jobs = await world.server.context.store.query((tx) => tx.db.selectFrom('job').select('payload').execute());
    return jobs.flatMap(({ payload }) => /do_confirm\/([a-z2-7]{24})/.exec(payload)?.[1] ?? [])[0] ?? '';
  };

  it('tells everybody who waits, and lets nobody in any more (protocol/organizations#domains)', async () => {
    const { olive, adam, max, spectator } = world;
    await olive.patch('/realm', { enable_spectator_access: true });
    const browser = new Visitor(world.server);
    await browser.get('/login/');
    await browser.post('/login/', { username: olive.email, password: 'roost-demo-password' });
    const waiting = (await max.register()).wait();
    await untilParked(world, 1);
    expect(await adam.refused('POST', '/realm/deactivate')).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    });
    await olive.post('/realm/deactivate');
    expect(await waiting).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: world.realm.id }]);
    const refusal = { status: 401, code: 'REALM_DEACTIVATED', msg: 'This organization has been deactivated' };
    for (const client of [olive, max, spectator]) {
      expect(await client.refused('POST', '/register')).toMatchObject(refusal);
      expect(await client.refused('GET', '/messages', { anchor: 'newest' })).toMatchObject(refusal);
    }
    const login = { username: olive.email, password: 'roost-demo-password' };
    expect(await spectator.refused('POST', '/fetch_api_key', login)).toMatchObject(refusal);
    expect((await browser.get('/')).text).not.toContain(olive.email);
    await spectator.get('/server_settings');
    expect((await browser.get('/login/')).status).toBe(200);
    await reopen();
    expect((await browser.get('/')).location).toBe('/login/');
    await olive.get('/users/me');
  });

  it.each([
    [false, { welcome: 1, reminder: 1, notices: 1, mails: 5 }],
    [true, { welcome: 0, reminder: 0, notices: 0, mails: 0 }],
  ])('posts and mails nothing that jobs were to say, if closed (%s)', async (isClosed, expected) => {
    const { olive, max, mia, server, clock, dataDir } = world;
    await olive.patch('/realm', { welcome_message_custom_text: 'welcome aboard' });
    await olive.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    const password = 'correct horse battery';
    const visitor = new Visitor(server);
    const key = await waitingKey();
    await visitor.get(`/accounts/do_confirm/${key}`);
    await visitor.post('/accounts/register', { key, full_name: 'Nina New', password });
    const login = await world.spectator.post('/fetch_api_key', { username: 'nina@roost.test', password });
    const nina = new Client(server, login as { email: string; api_key: string; user_id: number });
    const { id } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'are you there?' });
    await max.post('/reminders', { message_id: id, scheduled_delivery_timestamp: soon() });
    const nests = { subscriptions: [{ name: 'nests' }] };
    await max.post('/users/me/subscriptions', nests);
    await max.post('/users/me/subscriptions', { ...nests, principals: [mia.userId] });
    if (isClosed) await olive.post('/realm/deactivate');
    server.context.jobs.start(server.context);
    await server.context.jobs.idle();
    clock.advance(3600_000);
    server.context.jobs.wake();
    await server.context.jobs.idle();
    if (isClosed) await reopen();
    const said = async (to: Client, text: string) => {
      const narrow = [{ operator: 'search', operand: text }];
      const { messages } = await to.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
      return messages.length;
    };
    expect({
      welcome: await said(nina, 'welcome'),
      reminder: await said(max, 'reminder'),
      notices: await said(mia, 'subscribed'),
      mails: writtenMails(dataDir).length,
    }).toEqual(expected);
  });

  it('sends nothing any more that was on its way', async () => {
    const { olive, adam, clock, server, dataDir } = world;
    const due = { type: 'direct', to: [adam.userId], content: 'later', scheduled_delivery_timestamp: soon() };
    await olive.post('/scheduled_messages', due);
    await olive.post('/invites', { invitee_emails: 'nina@roost.test', stream_ids: [] });
    await olive.post('/realm/deactivate');
    clock.advance(9 * 86_400_000);
    server.context.jobs.start(server.context);
    await server.context.jobs.idle();
    expect(writtenMails(dataDir)).toEqual([]);
    await reopen();
    const { messages } = await adam.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [] });
    expect(messages.map((message: { content: string }) => message.content)).not.toContain('<p>later</p>');
  });
});
