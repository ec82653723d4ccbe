import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BotServer, startBotServer } from '../../../test/support/bot-server.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const run = promisify(execFile);
const PAGE = new URL('../../../docs/protocol/bots.md', import.meta.url);

/** How a documented sample is run: its language, file, program, and the lines that call it with a JSON file. */
const SAMPLES = [
  {
    language: 'python',
    file: 'sample.py',
    program: 'python3',
    call: `
import json, sys
case = json.load(open(sys.argv[1]))
time.time = lambda: case["now"]
print(json.dumps(is_signed(case["secret"], case["headers"], case["body"].encode())))`,
  },
  {
    language: 'javascript',
    file: 'sample.mjs',
    program: process.execPath,
    call: `
import { readFileSync } from 'node:fs';
const given = JSON.parse(readFileSync(process.argv[2], 'utf8'));
Date.now = () => given.now * 1000;
console.log(JSON.stringify(isSigned(given.secret, given.headers, given.body)));`,
  },
];

/** Runs the sample of the page that is written in a language. */
async function verify({ language, file, program, call }: (typeof SAMPLES)[number], given: object): Promise<boolean> {
  const page = await readFile(PAGE, 'utf8');
  const sample = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'roost-signature-'));
  try {
    await writeFile(join(folder, file), sample + call);
    await writeFile(join(folder, 'case.json'), JSON.stringify(given));
    const { stdout } = await run(program, [join(folder, file), join(folder, 'case.json')]);
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.each(databases)('signatures of outgoing webhooks on %s', (database) => {
  let world: World;
  let server: BotServer;
  let bot: { readonly user_id: number };
  beforeAll(async () => {
    server = await startBotServer();
    world = await openWorld(database, { environment: { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' } });
    world.server.context.jobs.start(world.server.context);
    const fields = { full_name: 'Crane', short_name: 'crane', bot_type: 3, payload_url: JSON.stringify(server.url) };
    bot = (await world.max.post('/bots', fields)) as typeof bot;
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await world.close();
    await server.close();
  });
  const url = () => `/bots/${bot.user_id}/signing_secret`;
  const secretOf = async (): Promise<string> => (await world.max.get(url()))['signing_secret'];
  const idle = () => world.server.context.jobs.idle();
  const call = async () => {
    await world.mia.post('/messages', { type: 'direct', to: [bot.user_id], content: 'lift “ä” 😀' });
    await idle();
    const last = server.calls.at(-1);
    const headers: Readonly<Record<string, string>> = last?.headers ?? {};
    return { secret: await secretOf(), headers, body: last?.text ?? '', now: world.clock.now() };
  };

  it.each(SAMPLES)('are believed by the documented check in $language, and nothing else is', async (sample) => {
    const given = await call();
    expect(given.headers['webhook-signature']).toMatch(/^v1,/);
    expect(await verify(sample, given)).toBe(true);
    expect(await verify(sample, { ...given, body: given.body.replace('lift', 'drop') })).toBe(false);
    expect(await verify(sample, { ...given, secret: 'whsec_YW5vdGhlcg==' })).toBe(false);
    expect(await verify(sample, { ...given, headers: { ...given.headers, 'webhook-id': 'other' } })).toBe(false);
    expect(await verify(sample, { ...given, now: given.now + 301 })).toBe(false);
  });

  it('name the same call in each try, and the time of the try', async () => {
    server.answer((response: { writeHead: (status: number) => { end: () => void } }) => response.writeHead(503).end());
    await call();
    world.clock.advance(2000);
    world.server.context.jobs.wake();
    await idle();
    const [first, second] = server.calls.map(({ headers }) => headers);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(Number(second?.['webhook-timestamp'])).toBe(Number(first?.['webhook-timestamp']) + 2);
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature']);
    const other = await call();
    expect(other.headers['webhook-id']).not.toBe(first?.['webhook-id']);
  });

  it('have a secret that only those see who may have the key, and that changes with it', async () => {
    const before = await secretOf();
    expect(before).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect((await world.adam.get(url()))['signing_secret']).toBe(before);
    expect(await world.mia.refused('GET', url())).toMatchObject({ msg: 'Insufficient permission' });
    expect(await world.mia.refused('GET', '/bots/99999/signing_secret')).toMatchObject({ msg: 'No such bot' });
    expect((await world.gus.request('GET', url())).status).toBe(400);
    const { user_id } = await world.max.post('/bots', { full_name: 'Plain', short_name: 'plain' });
    expect(await world.max.refused('GET', `/bots/${user_id}/signing_secret`)).toMatchObject({
      msg: 'Not an outgoing webhook bot',
    });
    const { user_id: other } = await world.max.post('/bots', {
      full_name: 'Other',
      short_name: 'other',
      bot_type: 3,
      payload_url: JSON.stringify(server.url),
    });
    expect((await world.max.get(`/bots/${other}/signing_secret`))['signing_secret']).not.toBe(before);
    await world.max.post(`/bots/${bot.user_id}/api_key/regenerate`);
    expect(await secretOf()).not.toBe(before);
  });
});
