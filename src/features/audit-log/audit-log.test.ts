import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditKeyOf, checkChain, hashOfEntry } from '#kernel/audit';
import { asId, type UserId } from '#kernel/ids';
import { sql, type WriteTx } from '#kernel/store';
import { createOrganization } from '#features/organizations';
import { setUser } from '#features/users';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { afternoon } from '../../../test/support/session.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { deleteOld } from './retention.ts';

const PASSWORD = 'roost-demo-password';

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly [name: string]: unknown;
}

describe.each(databases)('the audit log on %s (protocol/organizations#audit-log)', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  const read = async (filter: object = {}): Promise<readonly Entry[]> =>
    (await world.olive.get('/realm/audit_log', { max_entries: 200, ...filter }))['entries'];
  /** What an act has left, oldest first. */
  const left = async (act: () => Promise<unknown>): Promise<readonly Entry[]> => {
    const before = (await read({ max_entries: 1 }))[0]?.id ?? 0;
    await act();
    return (await read()).filter(({ id }) => id > before).toReversed();
  };

  it('says who did what to whom, when, by what way, from where, and what was so before', async () => {
    const { olive, max, clock } = world;
    const entries = await left(() => olive.patch(`/users/${max.userId}`, { role: 300 }));
    expect(entries).toEqual([
      {
        id: expect.any(Number),
        timestamp: clock.now(),
        action: 'user.role',
        actor: { kind: 'person', user_id: olive.userId },
        via: 'update-user',
        address: '127.0.0.1',
        user_agent: expect.any(String),
        target: { kind: 'user', id: max.userId, name: null },
        before: { role: 400 },
        after: { role: 300 },
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(await left(() => olive.patch(`/users/${max.userId}`, { role: 300 }))).toEqual([]);
    await olive.patch(`/users/${max.userId}`, { role: 400 });
  });

  it('keeps who was not let in, and never what was typed', async () => {
    const { olive, spectator } = world;
    const attempt = (username: string) =>
      spectator.request('POST', '/fetch_api_key', { username, password: 'hush-hush-hush' });
    const entries = await left(async () => {
      await attempt(olive.email);
      await attempt('nobody-at-all@roost.test');
    });
    expect(entries).toMatchObject([
      {
        action: 'session.refused',
        actor: { kind: 'nobody', user_id: null },
        address: '127.0.0.1',
        target: { kind: 'user', id: olive.userId },
        after: { reason: 'password' },
      },
      { action: 'session.refused', target: { id: null }, after: { reason: 'unknown name' } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/hush|nobody-at-all/);
  });

  it('keeps the people that somebody subscribes and unsubscribes besides themselves', async () => {
    const { olive, max, mia } = world;
    const subscriptions = [{ name: 'audited' }];
    await olive.post('/users/me/subscriptions', { subscriptions });
    const added = await left(() =>
      olive.post('/users/me/subscriptions', { subscriptions, principals: [olive.userId, max.userId, mia.userId] }),
    );
    expect(added).toMatchObject([
      {
        action: 'channel.subscribers',
        target: { kind: 'channel', name: 'audited' },
        after: { added: [max.userId, mia.userId], count: 2 },
      },
    ]);
    const removed = await left(() =>
      olive.delete('/users/me/subscriptions', { subscriptions: ['audited'], principals: [max.userId] }),
    );
    expect(removed).toMatchObject([{ action: 'channel.subscribers', after: { removed: [max.userId], count: 1 } }]);
    // What somebody does to their own is nobody else's matter.
    const own = () => mia.delete('/users/me/subscriptions', { subscriptions: ['audited'] });
    expect((await left(own)).filter(({ action }) => action === 'channel.subscribers')).toEqual([]);
  });

  it('keeps settings, rights and privacy with what they were', async () => {
    const { olive, max } = world;
    const settings = await left(() => olive.patch('/realm', { invite_required: false, name: 'Renamed' }));
    expect(settings).toMatchObject([
      { action: 'organization.settings', before: { invite_required: true }, after: { invite_required: false } },
      { action: 'organization.settings', before: { name: 'Roost Test' }, after: { name: 'Renamed' } },
    ]);
    const nobody = world.realm.groups['role:nobody'];
    const rights = await left(() => olive.patch('/realm', { can_create_bots_group: { new: nobody } }));
    expect(rights).toMatchObject([
      { before: { can_create_bots_group: expect.any(Number) }, after: { can_create_bots_group: nobody } },
    ]);
    const made = await left(() => max.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }));
    expect(made).toMatchObject([
      { action: 'channel.added', after: { invite_only: false }, target: { name: 'secret' } },
    ]);
    const { stream_id } = await max.get('/get_stream_id', { stream: 'secret' });
    const hidden = await left(() => max.patch(`/streams/${stream_id}`, { is_private: true }));
    expect(hidden).toMatchObject([
      {
        action: 'channel.changed',
        actor: { user_id: max.userId },
        target: { kind: 'channel', id: stream_id },
        before: { invite_only: false },
        after: { invite_only: true },
      },
    ]);
    const group = await left(async () => {
      const { group_id } = await olive.post('/user_groups/create', { name: 'crew', description: '', members: [] });
      await olive.post(`/user_groups/${group_id}/members`, { add: [max.userId] });
      await olive.patch(`/user_groups/${group_id}`, { name: 'team', can_mention_group: { new: nobody } });
    });
    expect(group).toMatchObject([
      { action: 'group.added', target: { name: 'crew' } },
      { action: 'group.members', after: { add: [max.userId] } },
      { action: 'group.changed', before: { name: 'crew' }, after: { name: 'team', can_mention_group: nobody } },
    ]);
  });

  it('keeps log-ins, keys, passwords, links and sessions, and no secret in any of them', async () => {
    const { spectator, server } = world;
    const username = 'member3@roost.test';
    await server.context.store
      .in(world.realm)
      .write((tx) => setUser(tx, asId<UserId>(world.olive.userId), { may_manage_accounts: true }));
    const { user_id } = await world.olive.post('/users', { email: username, password: PASSWORD, full_name: 'Third' });
    const { api_key } = await spectator.post('/fetch_api_key', { username, password: PASSWORD });
    const third = world.clientOf({ id: user_id, email: username, api_key_version: 1 });
    const browser = new Visitor(server, '203.0.113.9', 'Mozilla/5.0 Firefox/140.0');
    const entries = await left(async () => {
      await spectator.post('/fetch_api_key', { username, password: PASSWORD });
      await browser.get('/login/');
      await browser.post('/login/', { username, password: PASSWORD });
      await browser.get('/accounts/sessions/');
      await browser.post('/logout/', {});
      await third.patch('/settings', { old_password: PASSWORD, new_password: 'quite another one' });
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'api_key.given',
      'session.begun',
      'session.ended',
      'user.password',
      'api_key.ended',
    ]);
    const user_agent = 'Mozilla/5.0 Firefox/140.0';
    expect(entries[1]).toMatchObject({ actor: { kind: 'person', user_id }, address: '203.0.113.9', user_agent });
    const whole = JSON.stringify(entries);
    for (const secret of [PASSWORD, 'quite another one', String(api_key), ...browser.cookies.values()])
      if (secret !== '') expect(whole).not.toContain(secret);
  });

  it('keeps nothing of what people say, and nothing of what was refused or undone', async () => {
    const { max, gus, server, realm } = world;
    const entries = await left(async () => {
      await max.post('/messages', { type: 'direct', to: [gus.userId], content: 'hello' });
      await max.refused('PATCH', '/realm', { name: 'Mine' });
      await max.refused('PATCH', `/users/${gus.userId}`, { role: 100 });
      await server.context.store
        .write(async (tx) => {
          await sql`update realm set name = 'gone' where id = ${realm.id}`.execute(tx.db);
          throw new Error('as asked');
        })
        .catch(() => undefined);
    });
    expect(entries).toEqual([]);
  });

  it('is for owners only, a page at a time, and by what one looks for', async () => {
    const { adam, max, mia, olive, spectator } = world;
    await olive.patch(`/users/${mia.userId}`, { full_name: 'Mia Two' });
    await adam.patch(`/users/${mia.userId}`, { full_name: 'Mia Member' });
    for (const who of [adam, max])
      expect(await who.refused('GET', '/realm/audit_log')).toMatchObject({ msg: 'Must be an organization owner' });
    expect((await spectator.request('GET', '/realm/audit_log')).status).toBe(401);
    const all = await read();
    const first = await olive.get('/realm/audit_log', { max_entries: 2 });
    expect(first).toMatchObject({ entries: all.slice(0, 2), found_oldest: false });
    const rest = await olive.get('/realm/audit_log', { max_entries: 200, before_entry: all[1]?.id });
    expect(rest).toMatchObject({ entries: all.slice(2), found_oldest: true });
    expect((await read({ actor_id: adam.userId })).map(({ action }) => action)).toEqual(['user.full_name']);
    expect((await read({ action: 'user.' })).every(({ action }) => action.startsWith('user.'))).toBe(true);
    expect((await read({ action: 'user.role' })).every(({ action }) => action === 'user.role')).toBe(true);
    expect(await read({ action: 'user' })).toEqual([]);
    expect(await read({ target_user_id: mia.userId, action: 'user.full_name' })).toHaveLength(2);
    expect(await read({ since: world.clock.now() + 1 })).toEqual([]);
    expect(await read({ until: world.clock.now() })).toEqual([]);
    const refused = await olive.refused('GET', '/realm/audit_log', { max_entries: 201 });
    expect(refused.code).toBe('BAD_REQUEST');
  });

  it('shows a page to owners who are logged in, and to nobody else', async () => {
    const log = async (username: string) => {
      const visitor = new Visitor(world.server);
      await visitor.get('/login/');
      await visitor.post('/login/', { username, password: PASSWORD });
      return visitor;
    };
    const PAGE = '/accounts/audit-log/';
    const owner = await log('owner@roost.test');
    const { status, text } = await owner.get(`${PAGE}?action=user.&to=member2%40roost.test`);
    expect(status).toBe(200);
    expect(text).toContain('user.full_name');
    expect(text).toContain('Mia Member');
    expect((await owner.get(`${PAGE}?to=nobody%40roost.test`)).text).toContain('No entries.');
    expect((await owner.get(`${PAGE}?action=${encodeURIComponent('<script>')}`)).text).not.toContain('<script>');
    expect((await new Visitor(world.server).get(PAGE)).location).toContain('/login/');
    const { statusCode } = await world.olive.fetch(PAGE);
    expect(statusCode).toBe(303);
  });

  it('chains what comes at once without gaps, through an afternoon in which nearly everything happens', async () => {
    const { server, realm, max, olive } = world;
    const names = Array.from({ length: 30 }, (_, index) => `At once ${index}`);
    await Promise.all(names.map((name) => olive.patch(`/users/${max.userId}`, { full_name: name })));
    await afternoon(world);
    const { entries, brokenAt } = await checkChain(
      server.context.store,
      realm.id,
      auditKeyOf(server.context.server.secret),
    );
    expect(brokenAt).toBeUndefined();
    const rows = await server.context.store.query((tx) =>
      sql<{ sequence: number }>`select sequence from audit_entry where realm_id = ${realm.id} order by 1`.execute(
        tx.db,
      ),
    );
    expect(rows.rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: entries }, (_, at) => at + 1));
    expect((await read({ action: 'user.full_name', target_user_id: max.userId })).length).toBeGreaterThanOrEqual(30);
  });

  it('shows that an entry was changed, left out or taken from its end, and leaves other organizations alone', async () => {
    const { server, realm } = world;
    const owner = { email: 'other@roost.test', full_name: 'Other', password: PASSWORD };
    const other = await createOrganization(server.context, { subdomain: 'other', name: 'Other', owner, isEmpty: true });
    const key = auditKeyOf(server.context.server.secret);
    const { entries } = await checkChain(server.context.store, realm.id, key);
    /** Where the chain is broken after a statement, which is taken back. */
    const brokenBy = async (statement: string): Promise<number | undefined> => {
      let found: number | undefined;
      await server.context.store
        .write(async (tx) => {
          await sql.raw(statement).execute(tx.db);
          ({ brokenAt: found } = await checkChain({ read: (work) => work(tx) }, realm.id, key));
          throw new Error('as asked');
        })
        .catch(() => undefined);
      return found;
    };
    const at = `realm_id = ${realm.id} and sequence =`;
    for (const column of [
      'action',
      'via',
      'address',
      'user_agent',
      'target_kind',
      'target_name',
      'said_after',
      'actor_kind',
    ])
      expect(await brokenBy(`update audit_entry set ${column} = 'x' where ${at} 5`), column).toBe(5);
    for (const column of ['created_at', 'actor_id', 'target_id'])
      expect(await brokenBy(`update audit_entry set ${column} = 77 where ${at} 5`), column).toBe(5);
    expect(await brokenBy(`delete from audit_entry where ${at} 5`)).toBe(5);
    expect(await brokenBy(`delete from audit_entry where ${at} ${entries}`)).toBe(entries);
    expect(await brokenBy(`delete from audit_entry where realm_id = ${realm.id}`)).toBe(1);
    expect(await brokenBy(`update audit_entry set action = 'x' where realm_id = ${other.realm.id}`)).toBeUndefined();
    expect((await checkChain(server.context.store, other.realm.id, key)).brokenAt).toBeUndefined();
    // Who writes the whole chain anew, as anybody can, has no seals for it, and may not do without.
    const forged = await withForgedChain(world, 5, (rows) => checkChain({ read: (work) => work(rows) }, realm.id, key));
    expect(forged.brokenAt).toBe(5);
    const bare = await withForgedChain(
      world,
      5,
      (rows) => checkChain({ read: (work) => work(rows) }, realm.id, key),
      null,
    );
    expect(bare.brokenAt).toBe(5);
    const allBare = await withForgedChain(
      world,
      1,
      (rows) => checkChain({ read: (work) => work(rows) }, realm.id, key),
      null,
    );
    // Such a log is like one of an older release; how many entries have no seal is told.
    expect(allBare).toMatchObject({ brokenAt: undefined, unsealed: entries });
  });

  it('keeps entries for as long as owners say, and knows whether the server deleted the older ones', async () => {
    const { server, realm, olive, adam, clock } = world;
    const key = auditKeyOf(server.context.server.secret);
    const check = () => checkChain(server.context.store, realm.id, key);
    const keep = (days: number) => olive.request('PATCH', '/realm', { audit_log_retention_days: days });
    expect((await keep(29)).status).toBe(400);
    expect((await keep(-1)).status).toBe(400);
    expect((await adam.request('PATCH', '/realm', { audit_log_retention_days: 30 })).status).toBe(400);
    const { entries: before } = await check();
    await deleteOld(server.context);
    expect(await check()).toMatchObject({ entries: before, deleted: 0 });
    expect((await keep(30)).status).toBe(200);
    const { entries: all } = await check();
    clock.advance(29 * 86_400_000);
    await adam.patch('/settings', { full_name: 'Adam the Young' });
    await deleteOld(server.context);
    expect((await check()).deleted).toBe(0);
    clock.advance(2 * 86_400_000);
    await deleteOld(server.context);
    const report = await check();
    expect(report).toMatchObject({ brokenAt: undefined, deleted: all, unsealed: 0 });
    const [newest, ...rest] = await read();
    expect(newest).toMatchObject({ action: 'audit_log.shortened', actor: { kind: 'server' }, after: { through: all } });
    expect(Math.min(...rest.map(({ id }) => id))).toBe(all + 1);
    // What goes on is chained to it.
    await adam.patch('/settings', { full_name: 'Adam the Old' });
    expect((await check()).brokenAt).toBeUndefined();
    // Nobody shortens it by hand.
    const shortened = await changed(world, async (tx) => {
      const { rows } = await sql<{ entry_hash: string; seal: string }>`select entry_hash, seal from audit_entry
        where realm_id = ${realm.id} and sequence = ${all + 1}`.execute(tx.db);
      await sql`delete from audit_entry where realm_id = ${realm.id} and sequence = ${all + 1}`.execute(tx.db);
      await sql`update audit_head set deleted_sequence = ${all + 1}, deleted_hash = ${rows[0]?.entry_hash},
        deleted_seal = ${rows[0]?.seal} where realm_id = ${realm.id}`.execute(tx.db);
      return checkChain({ read: (work) => work(tx) }, realm.id, key);
    });
    expect(shortened.brokenAt).toBe(all + 1);
  });
});

/** What a change of the database leads to; it is taken back. */
async function changed<T>({ server }: World, change: (tx: WriteTx) => Promise<T>): Promise<T> {
  const found: T[] = [];
  await server.context.store
    .write(async (tx) => {
      found.push(await change(tx));
      throw new Error('as asked');
    })
    .catch((error: Error) => {
      if (error.message !== 'as asked') throw error;
    });
  const [only] = found;
  if (only === undefined) throw new Error('nothing was found');
  return only;
}

/** A log in which an entry says something else, and all hashes from there on are right again, as anybody can make them. */
function withForgedChain<T>(world: World, from: number, look: (tx: WriteTx) => Promise<T>, seal?: null): Promise<T> {
  const realmId = world.realm.id;
  return changed(world, async (tx) => {
    const rows = await tx.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('realm_id', '=', realmId)
      .where('sequence', '>=', Math.max(1, from - 1))
      .orderBy('sequence')
      .execute();
    let hash = from === 1 ? '' : (rows.shift()?.entry_hash ?? '');
    for (const row of rows) {
      const told = row.sequence === from ? { ...row, said_after: '{"forged":true}' } : row;
      hash = hashOfEntry(hash, told);
      await tx.db
        .updateTable('audit_entry')
        .set({ said_after: told.said_after, entry_hash: hash, ...(seal === null && { seal }) })
        .where('realm_id', '=', realmId)
        .where('sequence', '=', row.sequence)
        .execute();
    }
    await tx.db.updateTable('audit_head').set({ last_hash: hash }).where('realm_id', '=', realmId).execute();
    return look(tx);
  });
}
