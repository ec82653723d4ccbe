import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Five minutes with 1,000 listening clients and people who write, alternately without and with an attacker. The long
 * form of test/soak/attacked.test.ts, on the databases in ROOST_TEST_DATABASES; SQLite by default.
 */
export async function attacked(): Promise<void> {
  const env = { ROOST_SOAK_CLIENTS: '1000', ROOST_SOAK_ROUNDS: '25', ROOST_TEST_DATABASES: 'sqlite', ...process.env };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/soak/attacked.test.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the attacker was felt, or the server grew too large');
}
