import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { INTEGRATIONS } from './registry.ts';

const SECRET = 'keel & hull';

/** What a service is about to post. */
interface Call {
  readonly body: string;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly now: number;
}

const hmac = (algorithm: string, { body, secret }: Call, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(algorithm, secret).update(body).digest(encoding);
/** An HMAC of the body alone, behind a prefix. */
const ofBody =
  (header: string, algorithm: string, prefix = '', encoding: 'hex' | 'base64' = 'hex') =>
  (call: Call) => ({ [header]: prefix + hmac(algorithm, call, encoding) });

/** How each service signs, as it documents it. */
const SIGNERS: Readonly<Record<string, (call: Call) => Readonly<Record<string, string>>>> = {
  bitbucket2: ofBody('x-hub-signature', 'sha256', 'sha256='),
  bitbucket3: ofBody('x-hub-signature', 'sha256', 'sha256='),
  circleci: ofBody('circleci-signature', 'sha256', 'v1='),
  gitea: ofBody('x-gitea-signature', 'sha256'),
  github: ofBody('x-hub-signature-256', 'sha256', 'sha256='),
  gitlab: ({ secret }) => ({ 'x-gitlab-token': secret }),
  gogs: ofBody('x-gogs-signature', 'sha256'),
  greenhouse: ofBody('signature', 'sha256', 'sha256 '),
  heroku: ofBody('heroku-webhook-hmac-sha256', 'sha256', '', 'base64'),
  intercom: ofBody('x-hub-signature', 'sha1', 'sha1='),
  jira: ofBody('x-hub-signature', 'sha256', 'sha256='),
  linear: ofBody('linear-signature', 'sha256'),
  openproject: ofBody('x-op-signature', 'sha1', 'sha1='),
  // While a secret changes there are two.
  pagerduty: (call) => ({ 'x-pagerduty-signature': `v1=00,v1=${hmac('sha256', call)}` }),
  patreon: ofBody('x-patreon-signature', 'md5'),
  reviewboard: ofBody('x-hub-signature', 'sha1', 'sha1='),
  semaphore: ofBody('x-semaphore-signature-256', 'sha256', 'sha256='),
  sentry: ofBody('sentry-hook-signature', 'sha256'),
  slack: ({ body, secret, now }) => ({
    'x-slack-signature': `v0=${hmac('sha256', { body: `v0:${now}:${body}`, secret, now })}`,
    'x-slack-request-timestamp': String(now),
  }),
  sonarqube: ofBody('x-sonar-webhook-hmac-sha256', 'sha256'),
  stripe: ({ body, secret, now }) => ({
    'stripe-signature': `t=${now},v1=${hmac('sha256', { body: `${now}.${body}`, secret, now })},v0=6ffb`,
  }),
  taiga: ofBody('x-taiga-webhook-signature', 'sha1'),
  zendesk: ({ body, secret, now }) => {
    const time = new Date(now * 1000).toISOString();
    return {
      'x-zendesk-webhook-signature': hmac('sha256', { body: time + body, secret, now }, 'base64'),
      'x-zendesk-webhook-signature-timestamp': time,
    };
  },
};
/** Those that sign the time as well. */
const TIMED = new Set(['slack', 'stripe', 'zendesk']);

const signing = INTEGRATIONS.filter(({ signature }) => signature !== undefined);

describe.each(databases)('signatures of incoming webhooks on %s', (database) => {
  let world: World;
  let key: string;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'builds' }] });
    ({ api_key: key } = await world.max.post('/bots', { full_name: 'Builder', short_name: 'builder', bot_type: 2 }));
  });
  afterAll(() => world.close());

  it('are tried for every integration that declares one', () => {
    expect(Object.keys(SIGNERS).toSorted()).toEqual(signing.map(({ name }) => name).toSorted());
  });

  it.each(signing.map((one) => [one.name, one] as const))(
    'of %s are believed where they are right, and nothing else is (protocol/bots#incoming-webhooks)',
    async (name, { samples, signature }) => {
      const sample = samples.find(({ json }) => json !== undefined);
      const body = JSON.stringify(sample?.json, null, 1);
      const sign = SIGNERS[name] ?? (() => ({}));
      const now = world.clock.now();
      const post = async (headers: Readonly<Record<string, string>>, sent = body, secret = SECRET) => {
        const query = new URLSearchParams({ api_key: key, stream: 'builds', webhook_secret: secret });
        const reply = await world.spectator.fetch(`/api/v1/external/${name}?${String(query)}&${sample?.query ?? ''}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...sample?.headers, ...headers },
          payload: Buffer.from(sent),
        });
        return reply.json();
      };
      const right = sign({ body, secret: SECRET, now });
      expect(await post(right)).toMatchObject({ result: 'success' });
      const refused = { result: 'error', msg: 'Webhook signature verification failed.' };
      expect(await post(sign({ body, secret: 'another', now }))).toMatchObject(refused);
      expect(await post(right, body, 'another')).toMatchObject(refused);
      if (signature?.algorithm !== 'plain') expect(await post(right, `${body} `)).toMatchObject(refused);
      const header = signature?.header ?? '';
      expect(await post({ ...right, [header]: 'x' })).toMatchObject(refused);
      expect(await post(sample?.headers ?? {})).toMatchObject({
        result: 'error',
        code: 'MISSING_HTTP_EVENT_HEADER',
        header,
      });
      if (!TIMED.has(name)) return;
      expect(await post(sign({ body, secret: SECRET, now: now - 301 }))).toMatchObject(refused);
      expect(await post(sign({ body, secret: SECRET, now: now - 299 }))).toMatchObject({ result: 'success' });
    },
  );

  it('of a form are made over its bytes', async () => {
    const body = 'token=t&team_domain=ferry&channel_name=harbour&user_name=mia&text=High+tide';
    const headers = SIGNERS['slack']?.({ body, secret: SECRET, now: world.clock.now() });
    const query = new URLSearchParams({ api_key: key, stream: 'builds', webhook_secret: SECRET });
    const post = async (payload: string) => {
      const reply = await world.spectator.fetch(`/api/v1/external/slack?${String(query)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: Buffer.from(payload),
      });
      return reply.json();
    };
    expect(await post(body)).toMatchObject({ result: 'success' });
    expect(await post(body.replace('High', 'Low'))).toMatchObject({ result: 'error' });
  });
});
