import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { pythonWith } from '../support/python.ts';

const FOLDER = fileURLToPath(new URL('../../examples/bridges/', import.meta.url));

/** Folder of the programs that the recipes of docs/bridges.md need; undefined where they cannot be had. */
export const programs = await pythonWith(['zulip==0.9.1', 'irc==20.5.0', 'defusedxml==0.7.1']);

/** A server with a channel, a person in it and a bot for a bridge. */
export interface Side {
  readonly server: ServerProcess;
  readonly person: Awaited<ReturnType<typeof demoAccount>>;
  /** Settings file of the bot. */
  readonly zuliprc: string;
  readonly folder: string;
  /** Has the person send to the channel. */
  post(content: string, topic?: string): Promise<void>;
  /** Messages of the channel, the oldest first, as they were written. */
  messages(): Promise<readonly Body[]>;
  close(): Promise<void>;
}

/** Starts a server; what a bridge does is the same whatever its database. */
export async function openSide(channel: string): Promise<Side> {
  const database: TestDatabase = await makeDatabase(databases[0] ?? 'sqlite');
  const server = await startProcess(database, await freePort());
  const person = await demoAccount(server, 'member@roost.test');
  const bot = await call(server, person, 'POST', '/bots', { full_name: 'Bridge', short_name: 'bridge' });
  const { user } = await call(server, person, 'GET', `/users/${bot['user_id']}`);
  const zuliprc = join(database.dataDir, 'zuliprc');
  await writeFile(zuliprc, `[api]\nemail=${user.email}\nkey=${bot['api_key']}\nsite=${server.url}\n`);
  const principals = [person.user_id, bot['user_id']];
  await call(server, person, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }], principals });
  return {
    server,
    person,
    zuliprc,
    folder: database.dataDir,
    post: async (content, topic = 'boats') => {
      const sent = await call(server, person, 'POST', '/messages', { type: 'channel', to: channel, topic, content });
      if (sent['result'] !== 'success') throw new Error(String(sent['msg']));
    },
    messages: async () => {
      const narrow = [{ operator: 'channel', operand: channel }];
      const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow };
      const { messages } = await call(server, person, 'GET', '/messages', page);
      return messages.filter((one: Body) => one['client'] !== 'Internal');
    },
    close: async () => {
      await server.kill('SIGTERM');
      await database.remove();
    },
  };
}

/** A recipe that runs. */
export interface Running {
  readonly output: () => string;
  /** Resolves when it has ended by itself. */
  readonly end: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a recipe, or a module of Python by `-m`. */
export function start(args: readonly string[]): Running {
  const child: ChildProcess = spawn(join(programs ?? '', 'python'), [...args], { cwd: FOLDER, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const gone = once(child, 'exit');
  return {
    output: () => output,
    end: async () => void (await gone),
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Does something again and again until it has been of use: bridges do not say when they have begun to listen. */
export async function until(isDone: () => Promise<boolean>, again: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await pause(500)) {
    await again();
    await pause(500);
    if (await isDone()) return;
  }
  throw new Error('nothing came of it');
}
