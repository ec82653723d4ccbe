import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { inGerman } from '../../../test/support/language.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const JSON_BODY = { 'content-type': 'application/json' };

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
  async function post(path: string, body: unknown, headers: Record<string, string> = JSON_BODY): Promise<Body> {
    const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const reply = await world.spectator.fetch(`/api/v1/external/${path}`, { method: 'POST', headers, payload });
    const answer: Body = reply.json();
    return { status: reply.statusCode, ...answer };
  }
  const listen = (client: Client) => client.register({ event_types: ['message'], idle_queue_timeout: 50_000 });
  const contents = async (queue: Awaited<ReturnType<Client['register']>>): Promise<string[]> =>
    (await queue.events()).map((event) => event['message'].content);

  it('are listed with what they are called and may be told (protocol/bots#incoming-webhooks)', async () => {
    const { realm_incoming_webhook_bots: listed } = (await world.max.register()).state;
    expect(listed).toContainEqual({
      name: 'json',
      display_name: 'JSON',
      all_event_types: null,
      config_options: [],
      url_options: [],
    });
    expect((await world.max.get('/integrations')).integrations).toEqual(listed);
    expect((await world.spectator.fetch('/api/v1/integrations')).statusCode).toBe(401);
    const names = listed.map((one: Body) => one['name']);
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(expect.arrayContaining(['github', 'gitlab', 'slack_incoming']));
    const github = listed.find((one: Body) => one['name'] === 'github');
    expect(github).toMatchObject({ display_name: 'GitHub', all_event_types: expect.arrayContaining(['push']) });
    expect(github.url_options[0]).toMatchObject({ key: 'branches', input_type: 'text' });
  });

  it('bound what their addresses say, before the payload is read (protocol/bots#incoming-webhooks)', async () => {
    const long = 'x'.repeat(10_001);
    const of = async (option: string) =>
      post(`github?api_key=${key}&${option}=${long}`, 'no JSON', { ...JSON_BODY, 'x-github-event': 'push' });
    const tooLong = (name: string) => ({ status: 400, msg: `${name} is too long (limit: 10000 characters)` });
    for (const name of ['stream', 'topic', 'webhook_secret', 'branches', 'ignore_private_repositories'])
      expect(await of(name), name).toMatchObject(tooLong(name));
    expect(await of('nobody_reads_this')).toMatchObject({ code: 'INVALID_JSON' });
  });

  it('write to the person who began a personal build, found by name or the beginning of an address, else to the owner of the bot', async () => {
    const [maxHears, adamHears] = [await listen(world.max), await listen(world.adam)];
    const build = (triggeredBy: string, value: string) => ({
      build: {
        buildFullName: 'Boats',
        buildNumber: '27',
        buildResult: 'success',
        triggeredBy,
        teamcityProperties: [
          { name: 'env.BUILD_IS_PERSONAL', value: 'true' },
          { name: 'teamcity.build.triggeredBy.username', value },
        ],
      },
    });
    const at = `teamcity?api_key=${key}&stream=builds`;
    const { full_name: name, email } = await world.adam.get('/users/me');
    for (const [triggeredBy, username] of [
      [`${name}; a schedule`, ''],
      ['Nobody Here', email.split('@')[0]],
      ['Nobody Here', 'nobody'],
    ] as const)
      expect(await post(at, build(triggeredBy, username))).toMatchObject({ status: 200 });
    expect((await contents(adamHears)).filter((text) => text.includes('Personal build'))).toHaveLength(2);
    const [event, ...more] = await maxHears.events();
    expect([event?.['message'].type, more]).toEqual(['private', []]);
  });

  it("tell Zapier's app whose key it was given, and say nothing of it", async () => {
    const queue = await listen(world.max);
    const { result, full_name, email, id } = await post(`zapier?api_key=${key}&stream=builds`, { type: 'auth' });
    expect({ result, full_name, id }).toEqual({ result: 'success', full_name: 'Builder', id: botId });
    expect(email).toMatch(/^builder-bot@/);
    expect(await contents(queue)).toEqual([]);
    expect(await post('zapier?api_key=wrong', { type: 'auth' })).toMatchObject({ status: 401 });
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
        content: '````json\n{\n  "ok": true,\n  "note": "```"\n}\n````',
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
    [{ text: '<https://x.test> ~no~ 2*3*4 snake_case_name' }, 'https://x.test ~~no~~ 2&#42;3&#42;4 snake_case_name'],
    [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }, { type: 'divider' }] }, 'hi'],
    [
      {
        attachments: [
          { title: 'Build', title_link: 'https://ci.test/1', text: 'red', fields: [{ title: 'By', value: 'Mia' }] },
        ],
      },
      '[Build](https://ci.test/1)\nred\n* **By**: Mia',
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
    for (const empty of [{}, { text: null }, [], 4])
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
    for (const other of ['x'.repeat(32), max.apiKey, generic['api_key'], `${key}x`.slice(1)])
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
    expect(await post(`unheard?api_key=${key}`, {})).toMatchObject({ status: 404, msg: 'API endpoint does not exist' });
    expect(await post(`constructor?api_key=${key}`, {})).toMatchObject({ status: 404 });
    await mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'attic' }], invite_only: true });
    for (const name of ['attic', 'nowhere'])
      expect(await post(`json?api_key=${key}&stream=${name}`, {})).toMatchObject({
        status: 400,
        code: 'STREAM_DOES_NOT_EXIST',
        msg: `Channel '${name}' does not exist`,
      });
  });

  /** A call of GitHub. */
  const github = (query: string, event: string, body: object, headers: Record<string, string> = {}) =>
    post(`github?api_key=${key}&${query}`, body, {
      'content-type': 'application/json',
      ...(event !== '' && { 'x-github-event': event }),
      ...headers,
    });
  const repository = { name: 'boats', full_name: 'ferry/boats', html_url: 'https://github.com/ferry/boats' };
  const starred = { action: 'created', sender: { login: 'mia' }, repository };

  it('go to a channel by its ID, to the topic that the integration chooses', async () => {
    const queue = await listen(world.max);
    const { stream_id: id } = await world.max.get('/get_stream_id', { stream: 'builds' });
    expect(await github(`stream=${id}`, 'star', starred)).toMatchObject({ status: 200 });
    expect((await queue.events())[0]?.['message']).toMatchObject({
      display_recipient: 'builds',
      subject: 'boats',
      content: 'mia starred [ferry/boats](https://github.com/ferry/boats).',
    });
  });

  it('tell only the events that the address wants', async () => {
    const queue = await listen(world.max);
    const only = (patterns: string[]) => `stream=builds&only_events=${encodeURIComponent(JSON.stringify(patterns))}`;
    const no = (patterns: string[]) => `stream=builds&exclude_events=${encodeURIComponent(JSON.stringify(patterns))}`;
    for (const query of [only(['push']), no(['st*']), only(['st*']), no(['push'])])
      expect(await github(query, 'star', starred)).toMatchObject({ status: 200 });
    expect(await contents(queue)).toHaveLength(2);
    expect(await github('only_events=push', 'star', starred)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  });

  it('take the key as Basic credentials, too, and overlook those that are for somebody else', async () => {
    const queue = await listen(world.max);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const at = (authorization: string, query = 'stream=builds') =>
      post(`json?${query}`, 1, { 'content-type': 'application/json', authorization });
    expect(await at(basic(`builder-bot@localhost:${key}`))).toMatchObject({ status: 200 });
    expect(await at(basic(`builder-bot@localhost:${'x'.repeat(32)}`))).toMatchObject({ status: 401 });
    expect(await at('Bearer theirs', `stream=builds&api_key=${key}`)).toMatchObject({ status: 200 });
    expect(await contents(queue)).toHaveLength(2);
  });

  it('are refused when a secret is given and the signature is another', async () => {
    const queue = await listen(world.max);
    const signed = (secret: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(starred)).digest('hex')}`,
    });
    const query = 'stream=builds&webhook_secret=tar';
    expect(await github(query, 'star', starred, signed('tar'))).toMatchObject({ status: 200 });
    expect(await github(query, 'star', starred, signed('oil'))).toMatchObject({
      status: 400,
      msg: 'Webhook signature verification failed.',
    });
    expect(await github(query, 'star', starred)).toMatchObject({
      status: 400,
      code: 'MISSING_HTTP_EVENT_HEADER',
      header: 'x-hub-signature-256',
    });
    expect(await contents(queue)).toHaveLength(1);
  });

  it('answer what they do not know as documented, and tell the owner, once an hour', async () => {
    world.clock.advance(3_600_000);
    world.server.context.jobs.start(world.server.context);
    await world.server.context.jobs.idle();
    const [owner, other] = [await listen(world.max), await listen(world.mia)];
    const told = async (queue: typeof owner) => {
      world.server.context.jobs.wake();
      await world.server.context.jobs.idle();
      return contents(queue);
    };
    expect(await github('stream=builds', 'tide', starred)).toEqual({
      status: 200,
      result: 'success',
      msg: "The 'tide' event isn't currently supported by the GitHub webhook; ignoring",
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'github',
      event_type: 'tide',
    });
    expect(await told(owner)).toEqual([expect.stringContaining('could not post what GitHub sent')]);
    expect(await github('stream=builds', '', starred)).toMatchObject({
      status: 400,
      code: 'MISSING_HTTP_EVENT_HEADER',
      msg: "Missing the HTTP event header 'x-github-event'",
    });
    expect(await github('stream=builds', 'issues', { action: 'opened' })).toMatchObject({
      status: 400,
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      msg: 'Unable to parse request: Did GitHub generate this event?',
    });
    expect(await told(owner)).toEqual([]);
    world.clock.advance(3_600_000);
    await post(`json?api_key=${key}`, '{"a":');
    expect(await told(owner)).toEqual([expect.stringContaining('Malformed JSON')]);
    expect(await told(other)).toEqual([]);
  });

  it('tell the owner in the language of the organization', async () => {
    world.clock.advance(3_600_000);
    const owner = await listen(world.max);
    await inGerman(world, async () => {
      await post(`json?api_key=${key}`, '{"a":');
      world.server.context.jobs.wake();
      await world.server.context.jobs.idle();
    });
    expect(await contents(owner)).toEqual([
      expect.stringMatching(
        /^Dein Bot @_\*\*Builder\|\d+\*\* konnte nicht schreiben, was .+ gesendet hat\. Die Antwort war:\n/,
      ),
    ]);
  });

  it('answer as Slack does, and name the channel or the topic in what is posted', async () => {
    const queue = await listen(world.max);
    const at = `slack_incoming?api_key=${key}`;
    expect(await post(`${at}&stream=builds`, { text: 'a', channel: '#deploys' })).toMatchObject({ ok: true });
    expect(await post(`${at}&channels_map_to_topics=0&topic=t`, { text: 'b', channel: '#builds' })).toMatchObject({
      ok: true,
    });
    expect(await post(`${at}&stream=nowhere`, { text: 'a' })).toMatchObject({
      status: 400,
      code: 'STREAM_DOES_NOT_EXIST',
      ok: false,
      error: 'stream_does_not_exist',
    });
    expect((await queue.events()).map((event) => event['message'])).toMatchObject([
      { display_recipient: 'builds', subject: 'deploys', content: 'a' },
      { display_recipient: 'builds', subject: 't', content: 'b' },
    ]);
  });

  it('take ten mebibytes of JSON, of which they show what fits, and no more; two of a form', async () => {
    const queue = await listen(world.max);
    const large = { text: 'High tide', attachments: [{ text: 'x'.repeat(9 * 2 ** 20) }] };
    expect(await post(`slack_incoming?api_key=${key}&stream=builds`, large)).toMatchObject({ status: 200 });
    expect(await contents(queue)).toEqual([expect.stringMatching(/^High tide\n+x{5000}/)]);
    // Nothing but members takes longest to read.
    const members = Object.fromEntries(Array.from({ length: 90_000 }, (_one, index) => [`k${index}`, 1]));
    expect(await post(`slack_incoming?api_key=${key}&stream=builds`, { text: 'Low tide', members })).toMatchObject({
      status: 200,
    });
    expect(await post(`json?api_key=${key}&stream=builds`, ['x'.repeat(10 * 2 ** 20)])).toMatchObject({ status: 413 });
    const form = new URLSearchParams({ payload: JSON.stringify({ text: 'x'.repeat(2 ** 21) }) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post(`slack_incoming?api_key=${key}`, form, headers)).toMatchObject({ status: 413 });
  });

  it('are there for services that ask first (protocol/bots#incoming-webhooks)', async () => {
    const ask = async (path: string) => world.spectator.fetch(`/api/v1/external/${path}`);
    expect(await ask('github?challenge=%3Cb%3E')).toMatchObject({ statusCode: 200, body: '<b>' });
    expect((await ask('github?challenge=x')).headers['content-type']).toContain('text/plain');
    expect(await ask('unheard')).toMatchObject({ statusCode: 404 });
  });
});
