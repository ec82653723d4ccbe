import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);
const EXAMPLES = join(dirname(createRequire(import.meta.url).resolve('zulip-js')), '..', 'examples');
/** Examples that wait for somebody to type, or want a settings file of their own beside them. */
const LEFT_OUT = ['init.js', 'interactive_call_endpoint.js', 'queue_helper.js'];
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.js') && !LEFT_OUT.includes(name));

// Many packages and slow programs: these run with `npm run clients` only.
const isAsked = process.env['ROOST_TEST_CLIENTS'] === 'all';
const programs = isAsked
  ? await pythonWith([...PYTHON_CLIENTS, 'zulip_botserver==0.9.1', 'perceval-zulip==0.4.0', 'zlp-cli==0.1.0'])
  : undefined;

describe.skipIf(!programs).each(databases)('programs that others published, on %s', (name) => {
  const program = (file: string) => join(programs ?? '', file);
  let database: TestDatabase;
  let server: ServerProcess;
  let member: { email: string; api_key: string; user_id: number };
  let settings: string;
  let bots: ChildProcess | undefined;

  beforeAll(async () => {
    database = await makeDatabase(name);
    // Its bot server listens on this machine.
    server = await startProcess(database, await freePort(), { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' });
    member = await demoAccount(server, 'member@roost.test');
    settings = join(database.dataDir, 'zuliprc');
    await writeFile(settings, `[api]\nemail=${member.email}\nkey=${member.api_key}\nsite=${server.url}\n`);
  });
  afterAll(async () => {
    bots?.kill('SIGTERM');
    await server.kill('SIGTERM');
    await database.remove();
  });

  const newest = async (narrow: readonly object[], count = 1): Promise<Body[]> => {
    const page = { anchor: 'newest', num_before: count, num_after: 0, apply_markdown: false, narrow };
    return (await call(server, member, 'GET', '/messages', page))['messages'];
  };

  it('zulip-send sends what it is told', async () => {
    await run(program('zulip-send'), [
      '--config-file',
      settings,
      '--stream=general',
      '--subject=programs',
      '--message=from a script',
    ]);
    const [message] = await newest([{ operator: 'topic', operand: 'programs' }]);
    expect(message).toMatchObject({ content: 'from a script', client: 'ZulipPython' });
  });

  it('the notifier for Nagios says what is down', async () => {
    const script = program('../share/zulip/integrations/nagios/nagios-notify-zulip');
    const host = ['--type=PROBLEM', '--host=rook', '--state=DOWN', '--service=', '--output=no answer'];
    await run(program('python'), [script, '--config', settings, '--stream=general', ...host]);
    const [message] = await newest([{ operator: 'channel', operand: 'general' }]);
    expect(message).toMatchObject({ client: 'ZulipNagios' });
    expect(message?.['content']).toContain('no answer');
  });

  it('an archive reader fetches every message of a channel', async () => {
    const script = `import json, sys
from perceval.backends.zulip.zulip import Zulip
url, email, key = sys.argv[1:]
items = Zulip(url=url, stream="general", email=email, api_token=key).fetch()
print(json.dumps([item["data"]["id"] for item in items]))`;
    const { stdout } = await run(program('python'), ['-c', script, server.url, member.email, member.api_key]);
    const all = await newest([{ operator: 'channel', operand: 'general' }], 100);
    expect(new Set(JSON.parse(stdout) as number[])).toEqual(new Set(all.map((message) => message['id'])));
  });

  it('an archiver writes every message of a channel, with its files, and looks for what was changed since', async () => {
    const zlp = (...args: string[]) =>
      run(program('zlp'), ['--config', settings, '--archive-root', database.dataDir, ...args], {
        cwd: database.dataDir,
      });
    const note = join(database.dataDir, 'note.txt');
    await writeFile(note, 'three nests');
    await zlp('upload', '--file', note, '--stream', 'general', '--topic', 'archives', '--msg', 'a note');
    const all = await newest([{ operator: 'channel', operand: 'general' }], 100);
    const { stdout } = await zlp('pull', '--stream', 'general', '--import-history');
    expect(stdout).toContain(`ok archived=${all.length}\n`);
    const written = readdirSync(join(database.dataDir, 'general'), { recursive: true, encoding: 'utf8' });
    const ids = written.flatMap((path) => /_id(\d+)\.md$/.exec(path)?.[1] ?? []).map(Number);
    expect(new Set(ids)).toEqual(new Set(all.map((message) => message['id'])));
    expect(written.some((path) => path.endsWith('__note.txt'))).toBe(true);
    expect((await zlp('reconcile', '--stream', 'general')).stdout).toMatch(/^ok reconciled=\d+$/m);
    const found = JSON.parse(
      (await zlp('search', '--query', 'note', '--stream', 'general', '--format', 'json')).stdout,
    );
    expect(found.map((message: Body) => message['subject'])).toContain('archives');
  });

  it('the bot server answers for a bot', async () => {
    const port = await freePort();
    const payload_url = JSON.stringify(`http://127.0.0.1:${port}`);
    const asked = { full_name: 'Served Bot', short_name: 'served', bot_type: 3, payload_url, interface_type: 1 };
    const { user_id, api_key } = await call(server, member, 'POST', '/bots', asked);
    const { user } = await call(server, member, 'GET', `/users/${user_id}`);
    const { realm_bots } = await call(server, member, 'POST', '/register', { fetch_event_types: ['realm_bot'] });
    const [service] = realm_bots.find((bot: Body) => bot['user_id'] === user_id).services;
    const config = join(database.dataDir, 'botserverrc');
    const account = `email=${user.email}\nkey=${api_key}\nsite=${server.url}\ntoken=${service.token}\n`;
    await writeFile(config, `[helloworld]\n${account}`);
    bots = spawn(program('zulip-botserver'), ['--config-file', config, '--port', String(port)], { stdio: 'ignore' });
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      );
    for (const deadline = performance.now() + 60_000; !(await isUp()) && performance.now() < deadline; )
      await pause(200);
    await call(server, member, 'POST', '/messages', { type: 'direct', to: [user_id], content: 'hi' });
    let answer: Body | undefined;
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await pause(300)) {
      [answer] = await newest([{ operator: 'dm', operand: [user_id] }]);
      if (answer?.['sender_id'] === user_id) break;
    }
    expect(answer).toMatchObject({ sender_id: user_id, content: 'beep boop' });
  });

  it.each(examples)('the example %s of zulip-js gets replies', async (example) => {
    const owner = await demoAccount(server, 'owner@roost.test');
    const environment = { ZULIP_USERNAME: owner.email, ZULIP_API_KEY: owner.api_key, ZULIP_REALM: server.url };
    const child = run(process.execPath, [join(EXAMPLES, example)], {
      env: { ...process.env, ...environment, ZULIP_PASSWORD: 'roost-demo-password' },
      // Some wait for events for ever.
      timeout: 15_000,
    });
    const { stdout, stderr } = await child.catch((error: { stdout: string; stderr: string }) => error);
    expect(stderr).not.toMatch(/Error|reject/);
    expect(stdout).not.toBe('');
  });
});
