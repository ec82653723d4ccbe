import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { least, longestTurnMs } from '../support/processor.ts';
import { openWorld, type World } from '../support/world.ts';

/** Number of a channel, and of anything else, that there is not. */
const NOWHERE = 987_654;
/** A word that is said in private only. */
const SECRET = 'xylophone';

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

  it('1, 35: a private channel looks like none to people who are not in it', async () => {
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

  it('16: who may not create private channels may not turn a public one into one', async () => {
    const { olive, max, realm } = world;
    const allow = (name: 'role:owners' | 'role:members') =>
      olive.patch('/realm', { can_create_private_channel_group: { new: realm.groups[name] } });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'porch' }] });
    const { stream_id } = await max.get('/get_stream_id', { stream: 'porch' });
    const isPrivate = async () => (await max.get(`/streams/${stream_id}`))['stream'].invite_only;
    await allow('role:owners');
    const refused = await max.refused('PATCH', `/streams/${stream_id}`, { is_private: true });
    expect([refused.msg, await isPrivate()]).toEqual(['Insufficient permission', false]);
    await allow('role:members');
    await max.patch(`/streams/${stream_id}`, { is_private: true });
    expect(await isPrivate()).toBe(true);
  });

  it('19: no pattern and no text keeps the server busy for more than 50 ms', async () => {
    const { adam, max } = world;
    const url_template = 'https://x.test/';
    const refusal = async (pattern: string) =>
      (await adam.refused('POST', '/realm/filters', { pattern, url_template })).msg;
    expect(await refusal('(?:a?){500}a{500}')).toMatch(
      /^Bad regular expression: too large \(\d+ instructions, limit: 150\)$/,
    );
    expect(await refusal('a'.repeat(1001))).toBe('Bad regular expression: too long (limit: 1000 characters)');
    const evil = ['(a+)+b', '(?P<x>(a|b|ab)*)c', 'a.{100}b', '(?:a?){40}a{40}', '#(?P<n>[0-9]+)(.*x)?'];
    const ids: number[] = [];
    for (const pattern of evil) {
      const variable = /P<(.)>/.exec(pattern)?.[1];
      const template = `${url_template}${ids.length}${variable === undefined ? '' : `/{${variable}}`}`;
      ids.push((await adam.post('/realm/filters', { pattern, url_template: template }))['id']);
    }
    const render = async (content: string): Promise<string> =>
      (await max.post('/messages/render', { content }))['rendered'];
    // They are applied.
    expect(await render('see aab and #12')).toMatch(
      /<a href="https:\/\/x\.test\/0">aab<\/a>.*<a href="https:\/\/x\.test\/4\/12">/,
    );
    await max.post('/users/me/alert_words', { alert_words: [`${'a'.repeat(90)}b`] });
    const pieces = ['a', 'a ', 'ab ', '#1 ', '[', '**', '`', '> ', '- ', '@**a', '<', '|a'];
    for (const piece of pieces) {
      const content = piece.repeat(10_000 / piece.length);
      expect(await least(50, () => longestTurnMs(() => render(content))), piece).toBeLessThan(50);
    }
    for (const id of ids) await adam.delete(`/realm/filters/${id}`);
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
});
