import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import type { Body } from '../support/client.ts';
import { OPENAPI_TOOLS, pythonWith } from '../support/python.ts';
import { openWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const python = await pythonWith(OPENAPI_TOOLS);

let world: World;
let origin: string;
beforeAll(async () => {
  world = await openWorld('sqlite');
  origin = `http://127.0.0.1:${await world.server.listener.listen(0, '127.0.0.1')}`;
});
afterAll(() => world.close());

/** Operations whose samples work on an empty organization, in this order. */
const RUNNABLE = [
  'get-server-settings',
  'subscribe',
  'send-message',
  'get-messages',
  'get-own-user',
  'get-users',
  'get-channels',
  'add-alert-words',
  'remove-alert-words',
  'create-saved-snippet',
  'register-queue',
  'update-bot-storage',
  'update-presence',
  'render-message',
];

describe('the samples of the reference', () => {
  /** Samples of an operation by their label, for a caller of this server. */
  const samples = async (label: string) => {
    const { body } = await world.spectator.request('GET', '/openapi.json');
    const operations = Object.values<Record<string, Body>>(body['paths']).flatMap(Object.values<Body>);
    const found = new Map(operations.map((operation) => [operation['operationId'], operation['x-codeSamples']]));
    return RUNNABLE.filter((id) => found.has(id)).map((id) => {
      const { source } = found.get(id).find((sample: Body) => sample['label'] === label);
      const called = source.replaceAll('http://localhost:9991', origin);
      return { id, source: called.replace('EMAIL', world.olive.email).replace('API_KEY', world.olive.apiKey) };
    });
  };

  it('work in JavaScript', async () => {
    const all = await samples('JavaScript');
    expect(all.map(({ id }) => id)).toEqual(RUNNABLE);
    for (const { id, source } of all) {
      const called = source.replace('await reply.json()', 'await reply.text()');
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', called]);
      expect([id, JSON.parse(stdout)]).toEqual([id, expect.objectContaining({ result: 'success' })]);
    }
  });

  it('work with curl', async () => {
    for (const { id, source } of await samples('curl')) {
      const { stdout } = await run('bash', ['-c', source]);
      expect([id, JSON.parse(stdout)]).toEqual([id, expect.objectContaining({ result: 'success' })]);
    }
  });

  it.skipIf(!python)('work in Python', async () => {
    const all = await samples('Python');
    // One process for all, each sample in a namespace of its own.
    const texts = all.map(({ source }) => source.replace('reply.json()', 'reply.text'));
    const program = `import json, sys\nfor text in json.loads(sys.argv[1]): exec(text, {})`;
    const { stdout } = await run(join(python ?? '', 'python'), ['-c', program, JSON.stringify(texts)]);
    const replies = stdout.trim().split('\n');
    expect(all.map(({ id }, index) => [id, JSON.parse(replies[index] ?? '{}')])).toEqual(
      RUNNABLE.map((id) => [id, expect.objectContaining({ result: 'success' })]),
    );
  });
});

describe.skipIf(!hasBrowser())('the reference in a browser', () => {
  it.each(['light', 'dark'] as const)(
    'keeps nobody out, in the %s theme',
    async (colorScheme) => {
      const browser = await openBrowser({ colorScheme, javaScriptEnabled: true });
      try {
        const page = await browser.context.newPage();
        for (const path of [
          '/api/',
          '/api/operations/send-message',
          '/api/events',
          '/api/schemas',
          '/api/protocol/wire',
        ]) {
          for (const width of [1440, 390]) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(`${origin}${path}`);
            expect([path, width, await inspect(page)]).toEqual([path, width, { found: [], overflow: 0 }]);
          }
        }
      } finally {
        await browser.close();
      }
    },
    60_000,
  );

  it('filters, and sends only what was filled in', async () => {
    const browser = await openBrowser({ javaScriptEnabled: true });
    try {
      const page = await browser.context.newPage();
      await page.goto(`${origin}/api/`);
      await page.getByLabel('Filter').fill('alert_words delete');
      expect(await page.getByRole('status').textContent()).toBe('1 found');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/api/operations/remove-alert-words');

      await page.goto(`${origin}/api/operations/get-users`);
      await page.getByLabel('Email address').fill(world.olive.email);
      await page.getByLabel('API key').fill(world.olive.apiKey);
      const [request] = await Promise.all([
        page.waitForRequest('**/api/v1/users*'),
        page.getByRole('button', { name: 'Send' }).press('Enter'),
      ]);
      expect(new URL(request.url()).search).toBe('');
      await page.getByText('"members"').waitFor();

      await page.getByLabel('user_ids').fill(`[${world.max.userId}]`);
      const [second] = await Promise.all([
        page.waitForRequest('**/api/v1/users*'),
        page.getByRole('button', { name: 'Send' }).click(),
      ]);
      expect([...new URL(second.url()).searchParams]).toEqual([['user_ids', `[${world.max.userId}]`]]);
    } finally {
      await browser.close();
    }
  });
});
