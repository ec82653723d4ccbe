import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inFolder } from '../support/planting.ts';
import { worthSecondLook } from './test.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const CLOSED = '127.0.0.1:9';

/** Runs `npm test` on some tests only, where neither PostgreSQL nor Redis is. */
function testCommand(args: readonly string[], env: Record<string, string>): { status: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(process.execPath, ['tools/run.mjs', 'test', ...args], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      CI: '',
      ROOST_TEST_DATABASES: '',
      ROOST_TEST_POSTGRES_URL: `postgres://olive:secret@${CLOSED}/postgres`,
      ROOST_TEST_REDIS_URL: `redis://${CLOSED}`,
      ...env,
    },
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

describe('npm test', () => {
  it('says in one line what was left out, without credentials, and closes with the count', () => {
    const { status, lines } = testCommand(['tools/texts.test.ts'], {});
    expect(status).toBe(0);
    expect(lines.filter((line) => line.includes('Left out'))).toEqual([
      `Left out: what needs PostgreSQL (no server at ${CLOSED}; ROOST_TEST_POSTGRES_URL) and Redis (no server at ${CLOSED}; ROOST_TEST_REDIS_URL).`,
    ]);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
  });

  it('fails in CI when PostgreSQL or Redis is missing', () => {
    const { status, lines } = testCommand(['tools/texts.test.ts'], { CI: 'true' });
    expect(status).toBe(1);
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
  });

  it('counts failed and skipped tests, and files that do not load', async () => {
    const files = {
      'a.test.ts': `import { it } from 'vitest'; it('a', () => {}); it.skip('b', () => {}); it('c', () => { throw new Error('planted'); });`,
      'b.test.ts': `throw new Error('planted');`,
    };
    const { status, lines } = await inFolder(files, (root) => testCommand(['--root', root, '--dir', root], {}));
    expect(status).toBe(1);
    expect(lines.at(-1)).toBe('1 passed, 2 failed, 1 skipped');
  });

  it('gives a second look to a few files of which tests failed, and to none that did not load', () => {
    const file = (name: string, ...outcomes: string[]) => ({
      name,
      status: outcomes.every((status) => status === 'passed') && outcomes.length > 0 ? 'passed' : 'failed',
      assertionResults: outcomes.map((status) => ({ status })),
    });
    const look = (...testResults: object[]) => worthSecondLook({ results: { testResults } });
    expect(look(file('a', 'passed'), file('b', 'passed', 'failed'))).toEqual(['b']);
    expect(look(file('a', 'passed'))).toEqual([]);
    expect(look(file('a', 'skipped'), file('b', 'passed'))).toEqual(['a']);
    expect(look(file('a', 'failed'), file('b'))).toEqual([]);
    expect(look(...['a', 'b', 'c', 'd'].map((name) => file(name, 'failed')))).toEqual([]);
    expect(worthSecondLook({ results: undefined })).toEqual([]);
  });
});
