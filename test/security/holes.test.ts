import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization } from '#features/organizations';
import { apiKeyFor } from '#kernel/auth';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';
import { processorMs } from '../support/processor.ts';

/** Number of a channel, and of anything else, that there is not. */
const NOWHERE = 987_654;
/** A word that is said in private only. */
const SECRET = 'xylophone';
const ORGANIZATION = 'other';

/** Holes that other chat servers have had, each tried again here. The numbers are those of docs/security.md. */
describe.each(databases)('what other servers let happen, on %s', (database) => {
  let world: World;
  let vault: number;
  let file: string;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max } = world;
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'vault', description: 'Of the few' }],
      invite_only: true,
      principals: [max.userId, world.mona.userId],
    });
    vault = (await max.get('/get_stream_id', { stream: 'vault' }))['stream_id'];
    file = (await max.upload('plan.txt', 'the plan'))['url'];
    await max.post('/messages', {
      type: 'channel',
      to: vault,
      topic: 'combination',
      content: `${SECRET} [plan](${file})`,
    });
  });
  afterAll(() => world.close());

  it('1, 35: a private channel looks like none to whoever is not in it', async () => {
    const { mia, gus } = world;
    const answers = (who: Client, id: number) =>
      Promise.all([
        who.request('GET', `/streams/${id}`),
        who.request('GET', `/streams/${id}/members`),
        who.request('GET', `/streams/${id}/email_address`),
        who.request('PATCH', `/streams/${id}`, { description: 'mine' }),
        who.request('DELETE', `/streams/${id}`),
        who.request('GET', `/users/me/${id}/topics`),
        who.request('POST', `/streams/${id}/delete_topic`, { topic_name: 'combination' }),
        who.request('GET', `/users/${world.max.userId}/subscriptions/${id}`),
        who.request('POST', '/mark_stream_as_read', { stream_id: id }),
        who.request('POST', '/user_topics', { stream_id: id, topic: 'combination', visibility_policy: 1 }),
        who.request('POST', '/typing', { type: 'channel', op: 'start', stream_id: id, topic: 'combination' }),
        who.request('POST', '/messages', { type: 'channel', to: id, topic: 'combination', content: 'let me in' }),
        who.request('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow: [['channel', id]] }),
      ]);
    const said = (replies: Awaited<ReturnType<typeof answers>>, id: number) =>
      replies.map(({ status, body }) => [status, JSON.stringify(body).replaceAll(String(id), 'ID')]);
    for (const who of [mia, gus])
      expect(said(await answers(who, vault), vault)).toEqual(said(await answers(who, NOWHERE), NOWHERE));
    const [insider] = await answers(world.mona, vault);
    expect(insider).toMatchObject({ status: 200, body: { stream: { name: 'vault' } } });
  });

  it('4, 35: nothing that lists things tells of a private channel, also after leaving it', async () => {
    const { max, mona, mia, gus } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals: [mia.userId] });
    expect(JSON.stringify((await mia.register()).state)).toContain('vault');
    await max.delete('/users/me/subscriptions', { subscriptions: ['vault'], principals: [mia.userId] });
    for (const who of [mia, gus]) {
      for (const path of [
        '/streams',
        '/users/me/subscriptions',
        '/users',
        '/user_groups',
        '/realm/presence',
        '/attachments',
      ])
        expect(JSON.stringify((await who.request('GET', path)).body), path).not.toMatch(/vault|combination|plan\.txt/);
      expect(JSON.stringify((await who.register()).state)).not.toMatch(/vault|combination/);
    }
    expect(JSON.stringify((await mona.register()).state)).toContain('vault');
  });

  it('14: nobody finds the key of another, of a bot neither', async () => {
    const { max, mia, adam } = world;
    const bot = await max.post('/bots', { full_name: 'Key Bot', short_name: 'keys', bot_type: 1 });
    const keys = [bot['api_key'], max.apiKey, adam.apiKey];
    for (const path of ['/users', '/bots', '/users/me', `/users/${bot['user_id']}`]) {
      const text = JSON.stringify((await mia.request('GET', path)).body);
      for (const key of keys) expect(text, path).not.toContain(key);
    }
    const text = JSON.stringify((await mia.register()).state);
    for (const key of keys) expect(text).not.toContain(key);
    expect((await max.get(`/bots/${bot['user_id']}/api_key`))['api_key']).toBe(bot['api_key']);
  });

  it('16: who may not create public channels may not turn a private one into one', async () => {
    const { olive, max, realm } = world;
    await olive.patch('/realm', { can_create_public_channel_group: { new: realm.groups['role:owners'] } });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'hatch' }], invite_only: true });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'hatch' });
    expect((await max.refused('PATCH', `/streams/${stream_id}`, { is_private: false })).msg).toBe(
      'Insufficient permission',
    );
    expect((await max.get(`/streams/${stream_id}`))['stream'].invite_only).toBe(true);
    await olive.patch('/realm', { can_create_public_channel_group: { new: realm.groups['role:members'] } });
  });

  it('17: IDs of one organization mean nothing in another', async () => {
    const { adam, max } = world;
    const { realm, owner } = await createOrganization(world.server.kit, {
      subdomain: ORGANIZATION,
      name: 'Other',
      owner: { email: 'owner@other.test', full_name: 'Otto Other', password: 'a-password-of-others' },
    });
    const key = apiKeyFor(world.server.kit.server.secret, owner.id, owner.api_key_version);
    const authorization = `Basic ${Buffer.from(`${owner.email}:${key}`).toString('base64')}`;
    const stranger = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload = '') => {
      const response = await world.server.listener.inject({
        method,
        url: `/api/v1${path}`,
        headers: {
          host: `${ORGANIZATION}.localhost`,
          authorization,
          ...(payload !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        payload,
      });
      return response.json<{ result: string }>();
    };
    expect(realm.id).not.toBe(world.realm.id);
    expect(await stranger('GET', '/users/me')).toMatchObject({ result: 'success' });

    const linkifier = await adam.post('/realm/filters', {
      pattern: 'HOLE-(?P<id>[0-9]+)',
      url_template: 'https://x.test/{id}',
    });
    const field = await adam.post('/realm/profile_fields', { name: 'Hole', field_type: 1 });
    const message = await max.post('/messages', { type: 'channel', to: vault, topic: 'combination', content: 'ours' });
    const { attachments } = await max.get('/attachments');
    const snippet = await max.post('/saved_snippets', { title: 'ours', content: 'ours' });
    const attempts: Parameters<typeof stranger>[] = [
      ['DELETE', `/realm/filters/${linkifier['id']}`],
      ['DELETE', `/realm/profile_fields/${field['id']}`],
      ['GET', `/messages/${message['id']}`],
      ['DELETE', `/messages/${message['id']}`],
      ['PATCH', `/messages/${message['id']}`, 'content=theirs'],
      ['POST', `/messages/${message['id']}/reactions`, 'emoji_name=tada'],
      ['DELETE', `/attachments/${attachments[0].id}`],
      ['DELETE', `/saved_snippets/${snippet['saved_snippet_id']}`],
      ['GET', `/streams/${vault}`],
      ['DELETE', `/streams/${vault}`],
      ['GET', `/users/${max.userId}`],
      ['DELETE', `/users/${max.userId}`],
      ['PATCH', `/users/${max.userId}`, 'full_name=Theirs'],
    ];
    for (const attempt of attempts)
      expect(await stranger(...attempt), attempt.join(' ')).toMatchObject({ result: 'error' });
    expect((await max.get(`/messages/${message['id']}`))['raw_content']).toBe('ours');
    await adam.delete(`/realm/filters/${linkifier['id']}`);
    await adam.delete(`/realm/profile_fields/${field['id']}`);
  });

  it('19: no pattern and no text keeps the server busy', async () => {
    const { adam, max } = world;
    const evil = await adam.request('POST', '/realm/filters', { pattern: '(a+)+b', url_template: 'https://x.test/' });
    await max.post('/users/me/alert_words', { alert_words: [`${'a'.repeat(90)}b`] });
    for (const content of [
      'a'.repeat(9_000),
      '['.repeat(9_000),
      '**'.repeat(4_500),
      '`'.repeat(9_000),
      '> '.repeat(4_500),
    ]) {
      const send = () => max.post('/messages', { type: 'direct', to: [world.mia.userId], content });
      expect(await processorMs(send), content.slice(0, 4)).toBeLessThan(1000);
    }
    if (evil.body['id'] !== undefined) await adam.delete(`/realm/filters/${evil.body['id']}`);
  });

  it('27: no search finds what somebody may not read', async () => {
    const search = async (who: Client, term: readonly [string, string]) =>
      (await who.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow: [term] }))['messages'];
    for (const term of [
      ['search', SECRET],
      ['has', 'attachment'],
      ['topic', 'combination'],
    ] as const) {
      expect(await search(world.mona, term), term.join(':')).not.toEqual([]);
      for (const who of [world.mia, world.gus]) expect(await search(who, term), term.join(':')).toEqual([]);
    }
  });

  it('31: texts without end are refused by their length', async () => {
    const { max, adam } = world;
    const long = 'x'.repeat(300_000);
    const attempts = [
      ['POST', '/users/me/status', { status_text: long }],
      ['PATCH', '/settings', { full_name: long }],
      ['POST', '/drafts', { drafts: [{ type: 'private', to: [max.userId], topic: '', content: '', timestamp: long }] }],
      ['POST', '/saved_snippets', { title: long, content: 'x' }],
      ['POST', '/users/me/subscriptions', { subscriptions: [{ name: long }] }],
      ['POST', '/user_groups/create', { name: long, description: 'x', members: [] }],
    ] as const;
    for (const [method, path, fields] of attempts)
      expect(await adam.refused(method, path, fields)).toMatchObject({ status: 400 });
  });

  it('33: a file is for those who can read a message with it', async () => {
    const { mona, mia, gus, spectator } = world;
    expect((await mona.fetch(file)).body).toBe('the plan');
    for (const who of [mia, gus, spectator]) {
      const { statusCode, body } = await who.fetch(file);
      // A spectator is asked to log in first.
      expect(statusCode).toBe(who === spectator ? 302 : 403);
      expect(body).not.toContain('the plan');
    }
    expect(file).toMatch(/\/[\w-]{20,}\/plan\.txt$/);
  });

  it('34: no path leads out of the files', async () => {
    const secret = readFileSync(join(world.dataDir, 'secret'), 'utf8').trim();
    const ways = [
      '../../secret',
      '..%2f..%2fsecret',
      '%2e%2e/%2e%2e/secret',
      '....//secret',
      '%00secret',
      'C:%5csecret',
      '/etc/passwd',
      '..%5c..%5csecret',
    ];
    for (const root of [
      '/user_uploads/',
      `/user_uploads/${world.realm.id}/`,
      '/user_uploads/thumbnail/',
      '/user_avatars/',
      `/user_avatars/${world.realm.id}/emoji/images/`,
      '/static/',
      '/avatar/',
    ])
      for (const way of ways) {
        const { statusCode, body } = await world.max.fetch(`${root}${way}`);
        expect([302, 400, 403, 404], `${root}${way}`).toContain(statusCode);
        expect(body).not.toContain(secret);
        expect(body).not.toContain('root:');
      }
    const shown = await world.max.upload('../../evil\r\nX-Evil: 1.png', await plain(4, 4).png().toBuffer());
    expect(shown['url']).not.toMatch(/\/\.\.?\/|%2f|\\|\r|\n/i);
    expect((await world.max.fetch(shown['url'])).headers).not.toHaveProperty('x-evil');
  });

  it('39: a stored event that cannot be read keeps nobody from the others', async () => {
    const { max, mia } = world;
    const queue = await mia.register({ event_types: ['message'] });
    await world.server.kit.store.write(async (tx) => {
      const head = await tx.db
        .selectFrom('realm_log')
        .select('head')
        .where('realm_id', '=', world.realm.id)
        .executeTakeFirstOrThrow();
      const broken = { realm_id: world.realm.id, created_at: tx.now, details: '{"audience":{"everyone":true}}' };
      const rows = [
        { ...broken, kind: 'message', payload: '{' },
        { ...broken, kind: 'message', payload: '{"message":7}' },
        { ...broken, kind: 'message', payload: '{}', details: 'null' },
        { ...broken, kind: 'gone/for/good', payload: '{}' },
      ];
      await tx.db
        .insertInto('event')
        .values(rows.map((row, index) => ({ ...row, id: head.head + 1 + index, last_id: head.head + 1 + index })))
        .execute();
      await tx.db
        .updateTable('realm_log')
        .set({ head: head.head + rows.length })
        .where('realm_id', '=', world.realm.id)
        .execute();
    });
    await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'after the storm' });
    expect(await queue.events()).toMatchObject([{ type: 'message', message: { content: 'after the storm' } }]);
    await mia.register();
  });
});
