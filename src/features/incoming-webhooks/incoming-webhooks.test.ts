import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('incoming webhooks on %s', (database) => {
  let world: World;
  let key: string;
  let botId: number;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'builds' }] });
    ({ api_key: key, user_id: botId } = await world.max.post('/bots', {
      full_name: 'Builder',
      short_name: 'builder',
      bot_type: 2,
      service_name: 'json',
    }));
  });
  afterAll(() => world.close());

  /** Posts a JSON body, as other services do. */
  async function post(path: string, body: unknown, headers = { 'content-type': 'application/json' }): Promise<Body> {
    const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const reply = await world.spectator.fetch(`/api/v1/external/${path}`, { method: 'POST', headers, payload });
    const answer: Body = reply.json();
    return { status: reply.statusCode, ...answer };
  }
  const listen = (client: Client) => client.register({ event_types: ['message'] });
  const contents = async (queue: Awaited<ReturnType<Client['register']>>): Promise<string[]> =>
    (await queue.events()).map((event) => event['message'].content);

  it('are listed with what they are called and may be told (protocol/bots#incoming-webhooks)', async () => {
    const { realm_incoming_webhook_bots: listed } = (await world.max.register()).state;
    expect(listed).toContainEqual({
      name: 'slack_incoming',
      display_name: 'Slack-compatible webhook',
      all_event_types: null,
      config_options: [],
      url_options: [],
    });
    expect(listed.map((one: Body) => one['name'])).toEqual(['json', 'slack_incoming']);
  });

  it('post what they are sent as their bot: to a channel, else to who made the bot', async () => {
    const queue = await listen(world.max);
    const at = `api_key=${key}`;
    expect(await post(`json?${at}&stream=builds&topic=night`, { ok: true, note: '```' })).toMatchObject({
      status: 200,
    });
    expect(await post(`json?${at}&stream=builds`, [1])).toMatchObject({ result: 'success' });
    expect(await post(`json?${at}`, 7)).toMatchObject({ result: 'success' });
    const events = await queue.events();
    expect(events.map((event) => event['message'])).toMatchObject([
      {
        sender_id: botId,
        display_recipient: 'builds',
        subject: 'night',
        content: '```json\n{\n  "ok": true,\n  "note": "```"\n}\n```',
        client: 'json webhook',
      },
      { subject: 'JSON', content: '```json\n[\n  1\n]\n```' },
      { type: 'private', sender_id: botId, content: '```json\n7\n```' },
    ]);
  });

  it.each([
    [
      { text: 'Deployed *api* to <https://x.test/a?b=1|prod> &amp; _done_' },
      'Deployed **api** to [prod](https://x.test/a?b=1) & *done*',
    ],
    [{ text: '<https://x.test> ~no~ 2*3*4 snake_case_name' }, 'https://x.test ~~no~~ 2*3*4 snake_case_name'],
    [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }, { type: 'divider' }] }, 'hi'],
    [
      {
        attachments: [
          { title: 'Build', title_link: 'https://ci.test/1', text: 'red', fields: [{ title: 'By', value: 'Mia' }] },
        ],
      },
      '[Build](https://ci.test/1)\nred\n**By**: Mia',
    ],
    [{ attachments: [{ title: 'Bad', title_link: 'javascript:alert(1)' }, { fallback: 'plain' }] }, '**Bad**\n\nplain'],
  ])('understand what is meant for Slack: %j', async (body, content) => {
    const queue = await listen(world.max);
    await post(`slack_incoming?api_key=${key}&stream=builds`, body);
    expect(await contents(queue)).toEqual([content]);
  });

  it('take forms with a payload, and say nothing where nothing is said', async () => {
    const queue = await listen(world.max);
    const form = new URLSearchParams({ payload: '{"text": "from a form"}' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post(`slack_incoming?api_key=${key}&stream=builds`, form, headers)).toMatchObject({ status: 200 });
    for (const empty of [{}, { text: 7 }, [], 4])
      expect(await post(`slack_incoming?api_key=${key}&stream=builds`, empty)).toMatchObject({ status: 200 });
    expect(await contents(queue)).toEqual(['from a form']);
  });

  it('open to the key of an active incoming webhook bot alone (operations protocol/bots#incoming-webhooks)', async () => {
    const { max } = world;
    const queue = await listen(max);
    const refused = async (api_key: string) => post(`json?api_key=${api_key}&stream=builds`, {});
    expect(await post('json?stream=builds', {})).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING' });
    expect(await refused('short')).toMatchObject({ status: 401, msg: 'Malformed API key' });
    const generic = await max.post('/bots', { full_name: 'Generic', short_name: 'generic' });
    for (const other of ['x'.repeat(32), max.apiKey, generic['api_key']])
      expect(await refused(other)).toMatchObject({ status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' });
    const gone = await max.post('/bots', { full_name: 'Gone', short_name: 'gone', bot_type: 2 });
    await max.delete(`/bots/${gone['user_id']}`);
    expect(await refused(gone['api_key'])).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
    expect(await queue.events()).toEqual([]);
  });

  it('refuse what is no JSON, unknown integrations and places where the bot may not post', async () => {
    const { mia } = world;
    expect(await post(`json?api_key=${key}`, '{"a":')).toMatchObject({
      status: 400,
      code: 'INVALID_JSON',
      msg: 'Malformed JSON',
    });
    expect(await post(`json?api_key=${key}`, `${'['.repeat(5000)}${']'.repeat(5000)}`)).toMatchObject({
      code: 'INVALID_JSON',
    });
    expect(await post(`json?api_key=${key}`, 'x', { 'content-type': 'text/plain' })).toMatchObject({
      code: 'INVALID_JSON',
    });
    expect(await post(`github?api_key=${key}`, {})).toMatchObject({ status: 404, msg: 'API endpoint does not exist' });
    expect(await post(`constructor?api_key=${key}`, {})).toMatchObject({ status: 404 });
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'attic' }], invite_only: true });
    for (const name of ['attic', 'nowhere'])
      expect(await post(`json?api_key=${key}&stream=${name}`, {})).toMatchObject({
        status: 400,
        code: 'STREAM_DOES_NOT_EXIST',
        msg: `Channel '${name}' does not exist`,
      });
  });
});
