import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Three minutes of mixed load on 1,000 clients with restarts in between; at the end every client has the server's
 * state. The long form of test/soak, on the databases in ROOST_TEST_DATABASES; SQLite by default.
 */
export async function soak(): Promise<void> {
  const env = { ROOST_SOAK_CLIENTS: '1000', ROOST_SOAK_SECONDS: '180', ROOST_TEST_DATABASES: 'sqlite', ...process.env };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/soak/soak.test.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('some client did not have the state of the server');
}
