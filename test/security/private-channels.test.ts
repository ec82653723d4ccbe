import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Above everything that exists here. */
const NO_ID = 2_000_000;
const NO_NAME = 'no such';

type Request = readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string, Body];

/**
 * What must not be told from what does not exist. See protocol/errors#hidden-objects, protocol/fetching#one-message.
 */
describe.each(databases)('what outsiders learn of a private channel on %s', (database) => {
  let world: World;
  let channel = 0;
  let message = 0;
  let left: Client;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, olive } = world;
    left = await world.user({ full_name: 'Lena Left' });
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'vault' }],
      invite_only: true,
      principals: [max.userId, left.userId],
    });
    channel = (await max.get('/get_stream_id', { stream: 'vault' }))['stream_id'];
    const request = { type: 'channel', to: 'vault', topic: 'gold', content: 'gold, see https://example.com' };
    message = (await max.post('/messages', request))['id'];
    await max.post(`/messages/${message}/reactions`, { emoji_name: 'tada' });
    await left.delete('/users/me/subscriptions', { subscriptions: ['vault'] });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'moderation' }], invite_only: true });
    const requests = (await max.get('/get_stream_id', { stream: 'moderation' }))['stream_id'];
    await olive.patch('/realm', { moderation_request_channel_id: requests });
  });
  afterAll(() => world.close());

  const page = (narrow: unknown): Body => ({ anchor: 'oldest', num_after: 5, narrow });
  const byMessage = (id: number): readonly Request[] => [
    ['GET', `/messages/${id}`, {}],
    ['PATCH', `/messages/${id}`, { content: 'mine' }],
    ['PATCH', `/messages/${id}`, { topic: 'mine' }],
    ['DELETE', `/messages/${id}`, {}],
    ['GET', `/messages/${id}/history`, {}],
    ['GET', `/messages/${id}/read_receipts`, {}],
    ['POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
    ['DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
    ['POST', `/messages/${id}/report`, { report_type: 'spam' }],
    ['POST', `/messages/${id}/typing`, { op: 'start' }],
    ['POST', '/submessage', { message_id: id, msg_type: 'widget', content: '{"type":"vote"}' }],
    ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }],
    ['POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' }],
    ['POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'read' }],
    ['GET', '/messages', { message_ids: [id] }],
    ['GET', '/messages', { anchor: String(id), num_before: 0, num_after: 0 }],
    ['GET', '/messages', page([['with', String(id)]])],
    ['GET', '/messages', page([['id', String(id)]])],
    ['GET', '/messages/matches_narrow', { msg_ids: [id], narrow: [['has', 'link']] }],
  ];
  const byChannel = (id: number, name: string): readonly Request[] => [
    ['POST', '/messages', { type: 'channel', to: id, topic: 'x', content: 'x' }],
    ['POST', '/messages', { type: 'channel', to: name, topic: 'x', content: 'x' }],
    ['GET', '/messages', page([{ operator: 'channel', operand: id }])],
    ['GET', '/messages', page([['channel', name]])],
    ['GET', '/messages', page([{ operator: 'channel', operand: id, negated: true }])],
    [
      'GET',
      '/messages',
      page([
        ['stream', name],
        ['search', 'gold'],
      ]),
    ],
    ['POST', '/messages/flags/narrow', { ...page([['channel', name]]), num_before: 0, op: 'add', flag: 'read' }],
    ['POST', '/mark_stream_as_read', { stream_id: id }],
    ['POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'gold' }],
    ['POST', '/typing', { type: 'channel', op: 'start', stream_id: id, topic: 'gold' }],
    ['POST', '/user_topics', { stream_id: id, topic: 'gold', visibility_policy: 1 }],
    ['GET', `/users/me/${id}/topics`, {}],
    ['POST', `/streams/${id}/delete_topic`, { topic_name: 'gold' }],
    ['GET', '/get_stream_id', { stream: name }],
    ['GET', `/streams/${id}`, {}],
    ['GET', `/streams/${id}/members`, {}],
    ['GET', `/streams/${id}/email_address`, {}],
    ['POST', '/messages/render', { content: `#**${name}** #**${name}>gold**` }],
  ];

  /** An answer with the things it is about taken out. */
  const answer = async (who: Client, [method, path, parameters]: Request, things: readonly (string | number)[]) => {
    const { status, body } = await who.request(method, path, parameters);
    const text = things.reduce<string>(
      (rest, thing) => rest.replaceAll(new RegExp(`\\b${thing}\\b`, 'g'), '#'),
      JSON.stringify(body),
    );
    return `${status} ${text}`;
  };
  /** Each request about what is there is answered like the one about what is not. */
  const expectAlike = async (
    there: readonly Request[],
    things: readonly (string | number)[],
    missing: readonly Request[],
    nothings: readonly (string | number)[],
  ) => {
    for (const [name, who] of outsiders())
      for (const [index, request] of there.entries()) {
        const other = missing[index] ?? request;
        const text = `${name}: ${JSON.stringify(request)}`;
        expect(await answer(who, request, things), text).toBe(await answer(who, other, nothings));
      }
  };
  const outsiders = (): readonly [string, Client][] => [
    ['a member', world.mia],
    ['a moderator', world.mona],
    ['a guest', world.gus],
    ['somebody who left', left],
    ['a spectator', world.spectator],
  ];

  it('nothing by its messages', async () => {
    await expectAlike(byMessage(message), [message], byMessage(NO_ID), [NO_ID]);
    expect((await world.max.get('/messages', { message_ids: [message] }))['messages']).toHaveLength(1);
  });

  it('nothing by its ID or name', async () => {
    await expectAlike(byChannel(channel, 'vault'), [channel, 'vault'], byChannel(NO_ID, NO_NAME), [NO_ID, NO_NAME]);
    const [first] = (await world.max.get('/messages', page([['channel', 'vault']])))['messages'];
    expect(first).toMatchObject({ id: message, stream_id: channel });
  });

  it('nothing when a message of theirs is moved there', async () => {
    const { mia, max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [mia.userId] });
    const { id } = await mia.post('/messages', { type: 'channel', to: 'open', topic: 'x', content: 'x' });
    for (const stream_id of [channel, NO_ID])
      expect((await mia.refused('PATCH', `/messages/${id}`, { stream_id })).msg).toBe('Invalid channel ID');
  });
});
