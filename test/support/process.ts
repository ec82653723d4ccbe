import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Body } from './client.ts';
import type { TestDatabase } from './databases.ts';

/** The built program, which is made before the tests begin. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Milliseconds until a process must say that it is ready. */
const START_MS = 60_000;

/** A server as a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Everything that it has written to its outputs. */
  readonly output: () => string;
  readonly isRunning: () => boolean;
  /** Suspends it; `thaw` resumes it. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Sends a signal and resolves when the process has ended. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

/** The Node and the program to run; by default this build on this Node. */
interface Runtime {
  readonly node?: string;
  readonly program?: string;
}

/**
 * Starts `roost <command>` on a database and resolves when it accepts requests; port 0 takes a free one. `command` may
 * be several words.
 */
export async function startProcess(
  database: TestDatabase,
  port: number,
  environment: Readonly<Record<string, string>> = {},
  command = 'demo',
  { node = process.execPath, program = MAIN }: Runtime = {},
): Promise<ServerProcess> {
  const child = spawn(node, [program, ...command.split(' ')], {
    env: { ...environmentOf(database), ROOST_PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  await ready(child, () => output);
  return {
    url: port === 0 ? (/^ready (http\S+)/m.exec(output)?.[1] ?? '') : `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

/** Input of a command besides its arguments. */
interface CommandInput {
  /** The whole of its standard input. */
  readonly stdin?: string;
  /** More ROOST_* values. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `roost <command>` on a database to its end and returns its output. Rejects with both outputs when it fails. */
export async function runCommand(
  database: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>,
  command: readonly string[],
  { stdin = '', environment = {} }: CommandInput = {},
): Promise<string> {
  const running = promisify(execFile)(process.execPath, [MAIN, ...command], {
    env: { ...environmentOf(database), ...environment },
  });
  running.child.stdin?.end(stdin);
  return (await running).stdout;
}

/** Starts `roost <command>` on a database, to be killed while it works. */
export function startCommand(
  database: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>,
  command: readonly string[],
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...command], { env: environmentOf(database), stdio: 'ignore' });
}

/** Starts `roost <command>` on a database with its outputs piped, to be ended by the test. */
export function beginCommand(
  database: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>,
  command: readonly string[],
): ChildProcess {
  const env = environmentOf(database);
  return spawn(process.execPath, [MAIN, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command that should fail; returns its exit code and output. */
export async function refusedCommand(...args: Parameters<typeof runCommand>): Promise<{ code: number; said: string }> {
  try {
    return { code: 0, said: await runCommand(...args) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

/** Returns the environment of a process that works on a database. */
export function environmentOf({
  dataDir,
  databaseUrl,
}: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    ROOST_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
  };
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + START_MS;
  const exited = once(child, 'exit').then(() => 'exited' as const);
  while (!/^ready http/m.test(output())) {
    if (performance.now() > deadline) throw new Error(`the server did not start:\n${output()}`);
    const said = child.stdout ? once(child.stdout, 'data').then(() => 'said' as const) : exited;
    if ((await Promise.race([exited, said])) === 'exited') throw new Error(`the server ended:\n${output()}`);
  }
}

/** Returns a port that is free right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Calls the API of a process; returns the body of the reply. */
export async function call(
  server: Pick<ServerProcess, 'url'>,
  account: { email: string; api_key: string },
  method: string,
  path: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Body> {
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const isGet = method === 'GET';
  const response = await fetch(`${server.url}/api/v1${path}${isGet ? `?${form.toString()}` : ''}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${account.email}:${account.api_key}`).toString('base64')}` },
    ...(!isGet && { body: form }),
  });
  return (await response.json()) as Body;
}

/** Returns the account of a person of the demo organization, with the API key. */
export async function demoAccount(
  server: Pick<ServerProcess, 'url'>,
  email: string,
): Promise<{ email: string; api_key: string; user_id: number }> {
  const response = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: email }),
  });
  return (await response.json()) as { email: string; api_key: string; user_id: number };
}
