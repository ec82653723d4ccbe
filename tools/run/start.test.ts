import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inFolder } from '../support/planting.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a socket without a port');
  return address.port;
}

function npmStart(dataDir: string, port: number): ChildProcess {
  // The server refuses variables it does not know, such as those of the tests.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('ROOST_'));
  return spawn('npm', ['start'], {
    cwd: repository,
    env: { ...Object.fromEntries(others), ROOST_DATA_DIR: dataDir, ROOST_PORT: String(port), ROOST_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The address on the line `ready <address>`. */
async function readyAt(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface(server.stdout)) {
    const address = /^ready (\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the server ended before it was ready');
}

describe('npm start', () => {
  it('builds, serves, and ends well when npm is asked to end', async () => {
    await inFolder({}, async (root) => {
      const server = npmStart(root, await freePort());
      try {
        const address = await readyAt(server);
        expect((await fetch(`${address}/api/v1/server_settings`)).status).toBe(200);
        server.kill('SIGTERM');
        expect(await once(server, 'exit')).toEqual([0, null]);
        await expect(fetch(`${address}/api/v1/server_settings`)).rejects.toThrow('fetch failed');
      } finally {
        server.kill('SIGTERM');
      }
    });
  });
});
