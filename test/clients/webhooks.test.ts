import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { npmWith } from '../support/npm.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { pythonWith } from '../support/python.ts';

const run = promisify(execFile);
// They are fetched from the registries: these run with `npm run clients` only.
const isAsked = process.env['ROOST_TEST_CLIENTS'] === 'all';
const load = isAsked
  ? await npmWith([
      '@slack/webhook@8.0.2',
      '@octokit/webhooks-methods@6.0.0',
      '@octokit/webhooks-examples@7.6.1',
      'stripe@23.1.0',
    ])
  : undefined;
const python = isAsked ? await pythonWith(['slack-sdk==3.47.0', 'notifiers==2.0.0', 'apprise==2.2.0']) : undefined;

/** Events of GitHub of which nothing is said, and which are answered as such. */
const UNSAID = [
  'deployment_protection_rule',
  'deployment_review',
  'github_app_authorization',
  'installation_target',
  'marketplace_purchase',
  'org_block',
  'project',
  'project_card',
  'project_column',
  'projects_v2_item',
  'repository_dispatch',
  'repository_import',
  'secret_scanning_alert_location',
  'security_advisory',
];
/** Traces of a value that was not there. */
const HOLES = /\bundefined\b|\[object|\bNaN\b|Invalid Date|\( *\)|\*\*\*\*/;
const SECRET = 'a secret of the harbour';

// Programs that post to a service post here when the address is changed: with the libraries and commands that its users have.
describe.skipIf(!load || !python).each(databases)('libraries that post to services, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let owner: { email: string; api_key: string };
  let key: string;

  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort(), { ROOST_RATE_LIMITS: 'off' });
    owner = await demoAccount(server, 'owner@roost.test');
    const made = await call(server, owner, 'POST', '/bots', {
      full_name: 'Harbour',
      short_name: 'harbour',
      bot_type: 2,
    });
    key = made['api_key'];
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  /** The address as the page of the integration gives it. */
  const address = (integration: string, options: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({ api_key: key, stream: 'general', ...options });
    return `${server.url}/api/v1/external/${integration}?${query.toString()}`;
  };
  const newest = async (count = 1): Promise<readonly Body[]> => {
    const narrow = [{ operator: 'channel', operand: 'general' }];
    const page = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false, narrow };
    return (await call(server, owner, 'GET', '/messages', page)).messages;
  };
  const loaded = async (packageName: string) => (await load?.(packageName)) ?? {};
  const program = (file: string, args: readonly string[]) =>
    run(join(python ?? '', file), args, { timeout: 60_000, env: { ...process.env, HOME: database.dataDir } });

  it('of Slack, in JavaScript', async () => {
    const { IncomingWebhook } = (await loaded('@slack/webhook')) as {
      IncomingWebhook: new (url: string) => { send(message: object): Promise<{ text: string }> };
    };
    const webhook = new IncomingWebhook(address('slack_incoming'));
    await webhook.send({
      channel: '#builds',
      text: 'Build 7',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Build 7' } },
        { type: 'section', text: { type: 'mrkdwn', text: '*Green* after <https://ci.ferry.example/7|four minutes>' } },
      ],
    });
    const [message] = await newest();
    expect(message).toMatchObject({ subject: 'builds', sender_full_name: 'Harbour' });
    expect(message?.['content']).toContain('**Green** after [four minutes](https://ci.ferry.example/7)');
  });

  it('of Slack, in Python', async () => {
    const script = `
import sys
from slack_sdk.webhook import WebhookClient
answer = WebhookClient(sys.argv[1]).send(
    text="Tide",
    attachments=[{"color": "good", "title": "High water", "title_link": "https://tide.ferry.example", "fields": [{"title": "At", "value": "9:30", "short": True}]}],
)
print(answer.status_code, answer.body)
`;
    const { stdout } = await program('python', ['-c', script, address('slack_incoming')]);
    expect(stdout).toMatch(/^200 .*"ok":\s*true/);
    const [message] = await newest();
    expect(message?.['content']).toMatch(/Tide[^]*\[High water\]\(https:\/\/tide\.ferry\.example\)[^]*9:30/);
  });

  it('of Slack, on the command line', async () => {
    await program('notifiers', ['slack', 'notify', '--webhook-url', address('slack_incoming'), 'Backup is done']);
    expect((await newest())[0]?.['content']).toBe('Backup is done');
  });

  it('of anything that sends JSON, on the command line', async () => {
    const templates = { topic_template: 'from {{title}}', content_template: '{{type}}: {{message}}' };
    // It knows no plus sign for a blank.
    const query = Object.entries({ api_key: key, stream: 'general', ...templates })
      .map(([option, value]) => `-${option}=${encodeURIComponent(value)}`)
      .join('&');
    const place = `json://${new URL(server.url).host}/api/v1/external/generic?${query}`;
    await program('apprise', ['--title', 'the harbour', '--body', 'Low tide', '--notification-type', 'warning', place]);
    expect((await newest())[0]).toMatchObject({ subject: 'from the harbour', content: 'warning: Low tide' });
  });

  it('of Stripe, whose signature is checked', async () => {
    const { default: Stripe } = (await loaded('stripe')) as {
      default: new (
        key: string,
      ) => { webhooks: { generateTestHeaderString(options: { payload: string; secret: string }): string } };
    };
    const object = {
      id: 'ch_1',
      object: 'charge',
      amount: 1250,
      currency: 'usd',
      customer: 'cus_F1',
      status: 'succeeded',
    };
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'charge.succeeded',
      livemode: true,
      data: { object },
    });
    const post = async (secret: string) => {
      const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      return fetch(address('stripe', { webhook_secret: SECRET }), { method: 'POST', headers, body: payload });
    };
    expect((await post('another')).status).toBe(400);
    expect((await post(SECRET)).status).toBe(200);
    expect((await newest())[0]).toMatchObject({ subject: 'cus_F1', content: expect.stringContaining('12.50 USD') });
  });

  it('of GitHub: all payloads that its community has published are told, or answered as what is not', async () => {
    const { sign } = (await loaded('@octokit/webhooks-methods')) as {
      sign: (secret: string, payload: string) => Promise<string>;
    };
    const { default: published } = (await loaded('@octokit/webhooks-examples')) as {
      default: readonly { readonly name: string; readonly examples: readonly Body[] }[];
    };
    const unsaid = new Set<string>();
    const wrong: unknown[] = [];
    let told = 0;
    for (const { name: event, examples } of published)
      for (const example of examples) {
        const body = JSON.stringify(example);
        const headers = {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-hub-signature-256': await sign(SECRET, body),
        };
        const reply = await fetch(address('github', { webhook_secret: SECRET }), { method: 'POST', headers, body });
        const said = (await reply.json()) as Body;
        if (said['code'] === 'UNSUPPORTED_WEBHOOK_EVENT_TYPE') unsaid.add(event);
        else if (reply.status === 200) told++;
        else wrong.push([event, example['action'], reply.status, said]);
      }
    expect(wrong).toEqual([]);
    expect([...unsaid].filter((event) => !UNSAID.includes(event))).toEqual([]);
    expect(told).toBeGreaterThan(150);
    const messages = (await newest(told)).filter(({ sender_full_name }) => sender_full_name === 'Harbour');
    expect(messages.map(({ content }) => content).filter((content) => HOLES.test(content))).toEqual([]);
  }, 120_000);
});
