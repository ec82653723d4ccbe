import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VARIABLES, type Variable } from '#kernel/config';
import { databases } from '../../test/support/databases.ts';
import { openWorld } from '../../test/support/world.ts';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = text('docs/operations.md');

function row({ name, default: value, defaultText, kind, choices, meaning }: Variable): string {
  const kinds = kind === 'choice' && choices ? ` (${choices.join(', ')})` : '';
  const initial = defaultText?.replaceAll('<', '&lt;') ?? (value === undefined ? 'unset' : `\`${value}\``);
  return `| \`${name}\` | ${initial} | ${meaning}${kinds} |`;
}

describe('the guide for operators', () => {
  it('has the table of all configuration variables', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `ROOST_'));
    expect(rows).toEqual(VARIABLES.map(row));
  });

  it('names every command', () => {
    const commands = [...text('src/main.ts').matchAll(/^ {4}(\w+): \(\) => import/gm)].map(([, name]) => name);
    expect(commands).toContain('doctor');
    for (const command of commands) expect(guide).toContain(`| \`roost ${command}`);
  });

  it.each(databases)('explains every metric of our own, on %s', async (name) => {
    const world = await openWorld(name);
    try {
      const { body } = await world.server.listener.inject({ method: 'GET', url: '/metrics' });
      const metrics = [...body.matchAll(/^# TYPE (roost_\w+)/gm)].map(([, metric]) => metric ?? '');
      expect(metrics).toEqual(expect.arrayContaining(['roost_request_seconds', 'roost_jobs_due', 'roost_job_seconds']));
      expect(metrics.filter((metric) => !guide.includes(`\`${metric}\``))).toEqual([]);
      expect(body).toMatch(/^roost_jobs_given_up 0$/m);
    } finally {
      await world.close();
    }
  });
});
