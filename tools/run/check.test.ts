import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));

function checkCommand(...names: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'check', ...names], {
    cwd: repository,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

describe('npm run check', () => {
  it('runs a check by its name', () => {
    expect(checkCommand('format')).toMatchObject({ status: 0, text: expect.stringContaining('All checks passed.') });
  });

  it('refuses a name it does not know', () => {
    expect(checkCommand('nonsense')).toMatchObject({
      status: 2,
      text: expect.stringContaining('No such check: nonsense'),
    });
  });
});
