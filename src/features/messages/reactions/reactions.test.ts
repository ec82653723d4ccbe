import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { plain } from '../../../../test/support/pictures.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

describe.each(databases)('reactions on %s', (database) => {
  let world: World;
  let id: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], principals, invite_only: true });
    id = (await max.post('/messages', { type: 'channel', to: 'birds', topic: 'owl', content: 'hoo' }))['id'];
  });
  afterAll(() => world.close());

  const reactionsOf = async () => {
    const { messages } = await world.mia.get('/messages', { anchor: String(id), num_before: 0, num_after: 0 });
    const reactions: Body[] = messages[0].reactions;
    const people = Object.values(world).filter((one) => one instanceof Client);
    return reactions.map(({ user, ...reaction }) => {
      const { email } = people.find((one) => one.userId === reaction['user_id']) ?? expect.fail('a stranger');
      // The published terminal client fails without it (protocol/messages#message-object).
      expect(user).toEqual({ id: reaction['user_id'], email, full_name: expect.stringContaining(' ') });
      return reaction;
    });
  };

  it('tells those who have the message, with who reacted (protocol/reactions#reactions)', async () => {
    const { max, mia, gus } = world;
    const queues = [await max.register(), await gus.register()] as const;
    await mia.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    expect(await queues[0].events()).toMatchObject([
      {
        type: 'reaction',
        op: 'add',
        message_id: id,
        user_id: mia.userId,
        user: { user_id: mia.userId, full_name: 'Mia Member' },
        ...emoji,
      },
    ]);
    expect(await reactionsOf()).toEqual([{ ...emoji, user_id: mia.userId }]);
    await mia.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(await queues[0].events()).toMatchObject([{ type: 'reaction', op: 'remove', user_id: mia.userId, ...emoji }]);
    expect(await queues[1].events()).toEqual([]);
    expect(await reactionsOf()).toEqual([]);
  });

  it.each([
    [{}, "Missing 'emoji_name' argument", 'REQUEST_VARIABLE_MISSING'],
    [{ emoji_name: 'no-such' }, "Emoji 'no-such' does not exist", 'BAD_REQUEST'],
    [{ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'x' }, 'Invalid emoji type.', 'BAD_REQUEST'],
    [{ emoji_name: 'tada', emoji_code: 'zz', reaction_type: 'unicode_emoji' }, 'Invalid emoji code.', 'BAD_REQUEST'],
    [{ emoji_name: 'owl', emoji_code: '1f389', reaction_type: 'unicode_emoji' }, 'Invalid emoji name.', 'BAD_REQUEST'],
    [{ emoji_name: 'x', emoji_code: '99', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.', 'BAD_REQUEST'],
  ])('refuses to add %j', async (parameters, msg, code) => {
    expect(await world.max.refused('POST', `/messages/${id}/reactions`, parameters)).toMatchObject({ msg, code });
  });

  it.each([
    [{}, 'At least one of the following arguments must be present: emoji_name, emoji_code', 'BAD_REQUEST'],
    [{ emoji_name: 'no-such' }, "Emoji 'no-such' does not exist", 'BAD_REQUEST'],
    [{ emoji_code: '1f389' }, "Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST'],
  ])('refuses to remove %j', async (parameters, msg, code) => {
    expect(await world.max.refused('DELETE', `/messages/${id}/reactions`, parameters)).toMatchObject({ msg, code });
  });

  it('joins the emoji of others under the name they gave it', async () => {
    const { max, mia } = world;
    await max.post(`/messages/${id}/reactions`, { emoji_name: 'owl' });
    await mia.post(`/messages/${id}/reactions`, {
      emoji_name: 'renamed-since',
      emoji_code: '1f989',
      reaction_type: 'unicode_emoji',
    });
    expect((await reactionsOf()).map((reaction) => reaction['emoji_name'])).toEqual(['owl', 'owl']);
  });

  it('takes the extra emoji under both names of its type (protocol/emoji#types)', async () => {
    const { max } = world;
    await max.post(`/messages/${id}/reactions`, {
      emoji_name: 'zulip',
      emoji_code: 'zulip',
      reaction_type: 'service_extra_emoji',
    });
    expect(await reactionsOf()).toContainEqual({
      emoji_name: 'zulip',
      emoji_code: 'zulip',
      reaction_type: 'zulip_extra_emoji',
      user_id: max.userId,
    });
    await max.delete(`/messages/${id}/reactions`, { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' });
  });

  /** Adds a custom emoji and returns its ID as a code. */
  const addEmoji = async (name: string) => {
    const content = await plain(20, 20).png().toBuffer();
    const { status } = await world.olive.send('POST', `/realm/emoji/${name}`, [{ name: 'x.png', content }]);
    expect(status).toBe(200);
    const { emoji } = await world.olive.get('/realm/emoji');
    const all: { id: string; name: string; deactivated: boolean }[] = Object.values(emoji);
    return all.find((one) => one.name === name && !one.deactivated)?.id ?? '';
  };
  const refusal = async (method: 'POST' | 'DELETE', parameters: object) =>
    (await world.mia.refused(method, `/messages/${id}/reactions`, { ...parameters })).msg;

  it("takes the organization's own emoji, which come first by name (protocol/reactions#reactions)", async () => {
    const { max, mia } = world;
    const emoji_code = await addEmoji('rocket');
    const queue = await mia.register({ event_types: ['reaction'] });
    await max.post(`/messages/${id}/reactions`, { emoji_name: 'rocket' });
    const own = { emoji_name: 'rocket', emoji_code, reaction_type: 'realm_emoji' };
    expect(await queue.events()).toMatchObject([{ op: 'add', user_id: max.userId, ...own }]);
    expect(await reactionsOf()).toContainEqual({ ...own, user_id: max.userId });
    const unicode = { emoji_name: 'rocket', emoji_code: '1f680', reaction_type: 'unicode_emoji' };
    await max.post(`/messages/${id}/reactions`, unicode);
    expect(await queue.events()).toMatchObject([{ op: 'add', ...unicode }]);
    // The name determines the code, but not the type, which is `unicode_emoji` by default.
    expect((await max.refused('DELETE', `/messages/${id}/reactions`, { emoji_name: 'rocket' })).code).toBe(
      'REACTION_DOES_NOT_EXIST',
    );
    await max.delete(`/messages/${id}/reactions`, { emoji_name: 'rocket', reaction_type: 'realm_emoji' });
    expect(await queue.events()).toMatchObject([{ op: 'remove', ...own }]);
  });

  it('refuses a custom emoji that is another, and one that is gone unless others have used it', async () => {
    const { max, mia, olive } = world;
    const emoji_code = await addEmoji('parrot');
    const own = { emoji_name: 'parrot', emoji_code, reaction_type: 'realm_emoji' };
    expect(await refusal('POST', { ...own, emoji_code: '1f99c' })).toBe('Invalid custom emoji.');
    expect(await refusal('POST', { ...own, emoji_name: 'owl' })).toBe('Invalid custom emoji name.');
    await olive.delete('/realm/emoji/parrot');
    expect(await refusal('POST', own)).toBe('This custom emoji has been deactivated.');
    const again = await addEmoji('heron');
    await max.post(`/messages/${id}/reactions`, { emoji_name: 'heron' });
    await olive.delete('/realm/emoji/heron');
    await mia.post(`/messages/${id}/reactions`, { ...own, emoji_name: 'stork', emoji_code: again });
    expect(await reactionsOf()).toContainEqual({
      emoji_name: 'heron',
      emoji_code: again,
      reaction_type: 'realm_emoji',
      user_id: mia.userId,
    });
  });

  it('gives one of many equal reactions sent at once', async () => {
    const asks = Array.from({ length: 6 }, () =>
      world.max.request('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }),
    );
    const codes = (await Promise.all(asks)).map((reply) => reply.body['code'] ?? 'success');
    expect(codes.filter((code) => code === 'success')).toHaveLength(1);
    expect(codes.filter((code) => code === 'REACTION_ALREADY_EXISTS')).toHaveLength(5);
  });

  it('is for those who may read the message, and puts it into their history', async () => {
    const { max, mona, gus } = world;
    const { id: hidden } = await max.post('/messages', { type: 'channel', to: 'nest', topic: 'egg', content: 'warm' });
    for (const outsider of [mona, gus])
      for (const message of [hidden, 999_999])
        expect((await outsider.refused('POST', `/messages/${message}/reactions`, { emoji_name: 'tada' })).msg).toBe(
          'Invalid message(s)',
        );
    const queue = await mona.register();
    await mona.post(`/messages/${id}/reactions`, { emoji_name: 'eyes' });
    expect(await queue.events()).toMatchObject([{ type: 'reaction', op: 'add', user_id: mona.userId }]);
  });
});
