import { findActor } from '#features/users';
import { asId } from '#kernel/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { least, longestTurnMs, processorMs } from '../../../test/support/processor.ts';
import { countStatements } from '../../../test/support/statements.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { replyWith } from './reply.ts';

describe.each(databases)('bot storage on %s', (database) => {
  let world: World;
  let bot: Client;
  beforeAll(async () => {
    world = await openWorld(database);
    const { user_id } = await world.max.post('/bots', { full_name: 'Keeper', short_name: 'keeper' });
    bot = world.clientOf({ id: user_id, email: 'keeper-bot@localhost', api_key_version: 1 });
  });
  afterAll(() => world.close());
  const missing = { status: 400, code: 'BAD_REQUEST', msg: 'Key does not exist.' };

  it('keeps texts by key, for the account that stored them (protocol/bots#storage)', async () => {
    await bot.put('/bot_storage', { storage: { state: '{"count": 1}', 'Key with spaces': 'ü' } });
    await bot.put('/bot_storage', { storage: { state: '{"count": 2}' } });
    const all = { state: '{"count": 2}', 'Key with spaces': 'ü' };
    expect((await bot.get('/bot_storage'))['storage']).toEqual(all);
    expect((await bot.get('/bot_storage', { keys: ['state', 'state'] }))['storage']).toEqual({ state: '{"count": 2}' });
    expect((await bot.get('/bot_storage', { keys: [] }))['storage']).toEqual({});
    expect((await world.max.get('/bot_storage'))['storage']).toEqual({});
    expect(await world.max.refused('GET', '/bot_storage', { keys: ['state'] })).toMatchObject(missing);
    expect(await world.max.refused('DELETE', '/bot_storage', { keys: ['state'] })).toMatchObject(missing);
    expect((await bot.get('/bot_storage'))['storage']).toEqual(all);
  });

  it('has keys that every database can find', async () => {
    const key = (count: number) =>
      Array.from({ length: count }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000))).join('');
    const { msg } = await bot.refused('PUT', '/bot_storage', { storage: { [key(900)]: 'x' } });
    expect(msg).toBe('storage has a key that is too long');
    await bot.put('/bot_storage', { storage: { [key(500)]: 'x' } });
    expect((await bot.get('/bot_storage', { keys: [key(500)] }))['storage']).toEqual({ [key(500)]: 'x' });
  });

  it('forgets single keys or all, and nothing when one of the keys is not there', async () => {
    await bot.put('/bot_storage', { storage: { a: '1', b: '2' } });
    expect(await bot.refused('GET', '/bot_storage', { keys: ['a', 'c'] })).toMatchObject(missing);
    expect(await bot.refused('DELETE', '/bot_storage', { keys: ['a', 'c'] })).toMatchObject(missing);
    await bot.delete('/bot_storage', { keys: ['a'] });
    expect(Object.keys((await bot.get('/bot_storage'))['storage'])).not.toContain('a');
    expect((await bot.get('/bot_storage'))['storage']).toMatchObject({ b: '2' });
    await bot.delete('/bot_storage');
    expect((await bot.get('/bot_storage'))['storage']).toEqual({});
    await bot.delete('/bot_storage');
  });

  it('has at most 10,000 keys, and gives all of many characters (protocol/bots#storage)', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_none, n) => [`key ${from + n}`, `${n}`]));
    await bot.delete('/bot_storage');
    await bot.put('/bot_storage', { storage: keys(0, 9999) });
    const msg = 'There can be at most 10000 keys in the storage.';
    expect((await bot.refused('PUT', '/bot_storage', { storage: keys(9990, 11) })).msg).toBe(msg);
    await bot.put('/bot_storage', { storage: keys(9990, 10) });
    expect(Object.keys((await bot.get('/bot_storage'))['storage'])).toHaveLength(10_000);
    await bot.delete('/bot_storage');
    const long = Object.fromEntries(Array.from({ length: 9 }, (_none, n) => [`"${n}\n`, '\u0001'.repeat(900_000 + n)]));
    for (const [key, value] of Object.entries(long)) await bot.put('/bot_storage', { storage: { [key]: value } });
    const { body } = await bot.request('GET', '/bot_storage', { x: 1 });
    expect(body).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['x'], storage: long });
    await bot.delete('/bot_storage');
  });

  describe('of many characters', () => {
    const answer = async (take: (bytes: number) => void) => {
      const { context } = world.server;
      const actor = await context.store.in(world.realm).query((tx) => findActor(tx, asId(bot.userId), 'test'));
      if (!actor) throw new Error('the bot has no account');
      return replyWith(context, actor, undefined, {
        acceptsGzip: false,
        ignoredParameters: [],
        room: { begin: () => undefined, take },
      });
    };
    beforeAll(async () => {
      for (let n = 0; n < 11; n++) await bot.put('/bot_storage', { storage: { [`${n}`]: '\u0001'.repeat(900_000) } });
    });
    afterAll(() => bot.delete('/bot_storage'));

    it('lets others run between one part and the next', async () => {
      const rows = Array.from({ length: 11 }, () => '\u0001'.repeat(900_000));
      const share = await least(1 / 2, async () => {
        const whole = await processorMs(() => JSON.stringify(rows));
        return (await longestTurnMs(() => answer(() => undefined))) / whole;
      });
      expect(share).toBeLessThan(1 / 2);
    });

    it('takes room for each part before the next is read', async () => {
      const taken: number[] = [];
      const take = (bytes: number) => {
        taken.push(bytes);
        if (taken.length === 3) throw new Error('no room');
      };
      const statements = await countStatements(world, () => expect(answer(take)).rejects.toThrow('no room'));
      for (const bytes of taken) expect(bytes).toBeLessThan(6_000_000);
      expect(statements).toBeLessThan(10);
    });
  });

  it('refuses what is no text', async () => {
    expect(await bot.refused('PUT', '/bot_storage')).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
    expect((await bot.refused('PUT', '/bot_storage', { storage: { a: 1 } })).msg).toBe('storage["a"] is not a string');
    expect((await bot.refused('PUT', '/bot_storage', { storage: 'x' })).msg).toBe('storage is not valid JSON');
  });

  it('takes ten million characters and no more, also of two requests at once', async () => {
    const half = 'x'.repeat(4_999_990);
    const requests = ['one', 'two', 'six'].map((key) =>
      bot.request('PUT', '/bot_storage', { storage: { [key]: half } }),
    );
    const replies = await Promise.all(requests);
    const refused = replies.filter((reply) => reply.status === 400);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.body['msg']).toBe(
      `Request exceeds storage limit by ${3 * 4_999_993 - 10_000_000} characters. The limit is 10000000 characters.`,
    );
    const kept = Object.keys((await bot.get('/bot_storage'))['storage']);
    expect(kept).toHaveLength(2);
    await bot.put('/bot_storage', { storage: { [kept[0] ?? '']: 'small' } });
    await bot.delete('/bot_storage');
  });
});
