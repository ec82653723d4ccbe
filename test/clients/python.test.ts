import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { pause } from '../support/pause.ts';
import { PYTHON_CLIENTS, pythonWith } from '../support/python.ts';

const run = promisify(execFile);
const ALL_METHODS = fileURLToPath(new URL('all_methods.py', import.meta.url));
/**
 * What no server of this level offers any more: groups are deactivated, not deleted. See protocol/clients#operations,
 * row 77.
 */
const GONE = { remove_user_group: 'Method Not Allowed' };

const programs = await pythonWith(PYTHON_CLIENTS);

describe.skipIf(!programs).each(databases)('the Python client on %s', (name) => {
  const program = (file: string) => join(programs ?? '', file);
  let database: TestDatabase;
  let server: ServerProcess;

  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
  });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await database.remove();
  });

  it('has an answer to each of its methods', async () => {
    await runCommand(database, ['account', 'permit', '--email=admin@roost.test']);
    const admin = await demoAccount(server, 'admin@roost.test');
    const { stdout } = await run(program('python'), [ALL_METHODS, server.url, admin.email, admin.api_key]);
    const { replies, uncalled }: { replies: Record<string, Body>; uncalled: string[] } = JSON.parse(stdout);
    expect(uncalled).toEqual([]);
    const refused = Object.entries(replies).flatMap(([method, { result, msg }]) =>
      result === 'success' ? [] : [[method, msg]],
    );
    expect(Object.fromEntries(refused)).toEqual(GONE);
    expect(replies['get_raw_message']).toMatchObject({ raw_content: 'hello **there**' });
    expect(replies['get_storage']).toMatchObject({ storage: { key: 'value' } });
  });

  it('runs a bot of its framework, which answers who mentions it and who writes to it', async () => {
    const owner = await demoAccount(server, 'member@roost.test');
    const bot = await call(server, owner, 'POST', '/bots', {
      full_name: 'Hello Bot',
      short_name: 'hello',
      bot_type: 1,
    });
    const settings = join(database.dataDir, 'botrc');
    const profile = await call(server, owner, 'GET', `/users/${bot['user_id']}`);
    await writeFile(settings, `[api]\nemail=${profile['user'].email}\nkey=${bot['api_key']}\nsite=${server.url}\n`);
    const child = spawn(program('zulip-run-bot'), ['helloworld', '--config-file', settings], { stdio: 'ignore' });
    try {
      const queue = await call(server, owner, 'POST', '/register', {
        event_types: ['message'],
        narrow: [['is', 'dm']],
      });
      const answer = await answered(server, owner, queue, bot['user_id'], () =>
        call(server, owner, 'POST', '/messages', { type: 'direct', to: [bot['user_id']], content: 'hi' }),
      );
      expect(answer).toBe('beep boop');
    } finally {
      child.kill('SIGTERM');
    }
  });
});

/** Writes to a bot until it answers: it may not listen yet. What it said. */
async function answered(
  server: ServerProcess,
  reader: { email: string; api_key: string },
  queue: Body,
  botId: number,
  write: () => Promise<Body>,
): Promise<string> {
  let last = queue['last_event_id'];
  for (const deadline = performance.now() + 90_000; performance.now() < deadline; ) {
    await write();
    for (let tries = 0; tries < 4; tries++) {
      const { events } = await call(server, reader, 'GET', '/events', {
        queue_id: queue['queue_id'],
        last_event_id: last,
        dont_block: true,
      });
      last = events.at(-1)?.id ?? last;
      const said = events.find((event: Body) => event['message'].sender_id === botId);
      if (said) return said.message.content;
      await pause(500);
    }
  }
  throw new Error('the bot did not answer');
}
