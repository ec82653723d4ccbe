import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { zulip, type ZulipClient } from '../support/zulip-js.ts';

/** A program that writes every event it hears, one a line: the library's own loop never ends, a process does. */
const FOLLOWER = `require('zulip-js')(JSON.parse(process.argv[1]))
  .then((client) => client.callOnEachEvent((event) => console.log(JSON.stringify(event)), null))`;

const PASSWORD = 'roost-demo-password';

/** The names of all methods of the library's client, by their path. */
function methodsOf(client: ZulipClient, prefix = ''): string[] {
  return Object.entries(client).flatMap(([name, value]) => {
    if (name === 'config') return [];
    return typeof value === 'function' ? [`${prefix}${name}`] : methodsOf(value, `${prefix}${name}.`);
  });
}

/** The same client, which notes what is called. */
function noting(client: ZulipClient, called: Set<string>, prefix = ''): ZulipClient {
  return Object.fromEntries(
    Object.entries(client).map(([name, value]) => {
      if (name === 'config') return [name, value];
      if (typeof value !== 'function') return [name, noting(value, called, `${prefix}${name}.`)];
      return [name, (...args: unknown[]) => (called.add(`${prefix}${name}`), value(...args))];
    }),
  );
}

// See protocol/clients#encodings and protocol/clients#operations, column J: forms are multipart, changes and deletions
// carry everything in the query.
describe.each(databases)('every method of zulip-js on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let max: ZulipClient;
  let owner: ZulipClient;
  let follower: ChildProcess | undefined;
  const called = new Set<string>();
  const login = async (username: string) =>
    noting(await zulip({ realm: server.url, username, password: PASSWORD }), called);
  const say = async (content: string): Promise<number> =>
    (await max.messages.send({ type: 'stream', to: 'aviary', topic: 'nests', content })).id;

  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
    max = await login('member@roost.test');
    owner = await login('owner@roost.test');
    const added = await max.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'aviary' }]) });
    expect(added).toMatchObject({ result: 'success', already_subscribed: {} });
  });
  afterAll(async () => {
    follower?.kill('SIGKILL');
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('gets keys, facts and people', async () => {
    const { api_key, email } = await max.accounts.retrieve();
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await max.server.settings()).toMatchObject({ result: 'success', zulip_feature_level: 491 });
    expect(await max.users.me.getProfile()).toMatchObject({ email, is_bot: false });
    const { members } = await max.users.retrieve({ client_gravatar: true });
    expect(members.map((member: Body) => member['full_name'])).toContain('Mia Member');
    expect(await max.emojis.retrieve()).toMatchObject({ result: 'success', emoji: {} });
    expect(await max.users.me.alertWords.retrieve()).toMatchObject({ alert_words: [] });
    const person = { email: 'nestling@roost.test', password: PASSWORD, full_name: 'Nina Nestling' };
    expect(await max.users.create(person)).toMatchObject({ result: 'error', code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  it('finds channels and topics, leaves them and deletes them', async () => {
    await say('in the beginning');
    const { streams } = await max.streams.retrieve({ include_public: false });
    const { stream_id } = await max.streams.getStreamId('aviary');
    expect(streams.map((stream: Body) => stream['stream_id'])).toContain(stream_id);
    expect(await max.streams.getStreamId({ stream: 'aviary' })).toMatchObject({ stream_id });
    const { subscriptions } = await max.streams.subscriptions.retrieve();
    expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'aviary' }));
    const { topics } = await max.streams.topics.retrieve({ stream_id });
    expect(topics).toContainEqual({ name: 'nests', max_id: expect.any(Number) });

    await max.users.me.subscriptions.add({ subscriptions: JSON.stringify([{ name: 'scratch' }]) });
    const scratch = (await max.streams.getStreamId('scratch')).stream_id;
    expect(await max.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['scratch']) })).toMatchObject({
      removed: ['scratch'],
      not_removed: [],
    });
    expect(await owner.streams.deleteById({ stream_id: scratch })).toMatchObject({ result: 'success' });
  });

  it('sends, reads, changes, marks and deletes messages', async () => {
    const id = await say('three _eggs_');
    const narrow = [
      { operator: 'channel', operand: 'aviary' },
      // The notices about the new channel may still be on their way.
      { operator: 'topic', operand: 'nests' },
    ];
    const page = await max.messages.retrieve({ anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expect(page.messages.at(-1)).toMatchObject({ id, subject: 'nests', flags: [] });
    expect(await max.messages.render('*wing*')).toMatchObject({ rendered: '<p><em>wing</em></p>' });
    expect(await max.messages.render({ content: '1' })).toMatchObject({ rendered: '<p>1</p>' });
    expect(await max.messages.update({ message_id: id, content: 'four eggs' })).toMatchObject({ result: 'success' });
    expect(await max.messages.getById({ message_id: id })).toMatchObject({ raw_content: 'four eggs' });
    expect((await max.messages.getHistoryById({ message_id: id })).message_history).toHaveLength(2);
    expect(await max.messages.flags.add({ messages: [id], flag: 'starred' })).toMatchObject({ messages: [id] });
    expect(await max.messages.flags.remove({ messages: [id], flag: 'starred' })).toMatchObject({ messages: [id] });
    const octopus = { message_id: id, emoji_name: 'octopus' };
    expect(await max.reactions.add(octopus)).toMatchObject({ result: 'success' });
    expect(await max.reactions.add(octopus)).toMatchObject({ result: 'error', code: 'REACTION_ALREADY_EXISTS' });
    expect(await max.reactions.remove(octopus)).toMatchObject({ result: 'success' });
    await max.reactions.add(octopus);
    expect(await max.messages.deleteReactionById(octopus)).toMatchObject({ result: 'success' });
    const { user_id } = await owner.users.me.getProfile();
    expect(await max.typing.send({ to: [user_id], op: 'start' })).toMatchObject({ result: 'success' });
    expect(await owner.messages.deleteById({ message_id: id })).toMatchObject({ result: 'success' });
    expect(await max.messages.getById({ message_id: id })).toMatchObject({ msg: 'Invalid message(s)' });
  });

  it('keeps a queue, and ends it', async () => {
    const { queue_id, last_event_id } = await max.queues.register({ event_types: ['message'] });
    const id = await say('to the queue');
    const { events } = await max.events.retrieve({ queue_id, last_event_id, dont_block: true });
    expect(events).toMatchObject([{ type: 'message', message: { id, content: 'to the queue' } }]);
    expect(await max.queues.deregister({ queue_id })).toMatchObject({ result: 'success' });
    expect(await max.queues.deregister({ queue_id })).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id });
  });

  it('follows everything that happens', async () => {
    called.add('callOnEachEvent');
    const { apiKey, username, realm } = max.config;
    const config = JSON.stringify({ apiKey, username, realm });
    follower = spawn(process.execPath, ['-e', FOLLOWER, config], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: follower.stdout ?? expect.fail('no output') });
    const heard = once(lines, 'line');
    // It registers at its own pace; what is said before that, it does not hear.
    let isHeard = false;
    void heard.then(() => (isHeard = true));
    while (!isHeard) {
      await say('anybody there?');
      await Promise.race([heard, max.server.settings()]);
    }
    expect(JSON.parse((await heard)[0])).toMatchObject({ type: 'message', message: { content: 'anybody there?' } });
  });

  it('is told what is gone (protocol/clients#operations, rows 60, 61 and 68)', async () => {
    expect(await max.users.me.pointer.retrieve()).toMatchObject({
      result: 'error',
      msg: 'API endpoint does not exist',
    });
    expect(await max.users.me.pointer.update(1)).toMatchObject({ result: 'error', msg: 'API endpoint does not exist' });
    expect(await max.filters.retrieve()).toMatchObject({ result: 'error', msg: 'Method Not Allowed' });
  });

  it('calls what it has no method for', async () => {
    const members = await max.callEndpoint('users/me/subscriptions', 'GET', { include_subscribers: 'true' });
    expect(members.subscriptions[0].subscribers).toEqual(expect.any(Array));
    expect(await max.callEndpoint('//users/me', 'GET')).toMatchObject({ full_name: 'Max Member' });
  });

  it('leaves none out', () => {
    expect(methodsOf(max).filter((method) => !called.has(method))).toEqual([]);
    expect(methodsOf(max).length).toBeGreaterThan(31);
  });
});
