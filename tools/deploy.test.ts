import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VARIABLES, type Variable } from '#kernel/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('../deploy/', import.meta.url);
const names = readdirSync(folder);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const known = new Set<string>(VARIABLES.map(({ name }) => name));
/** Read by the proxy's own file, and set for it by the compose file. */
const OF_THE_PROXY = new Set(['ROOST_DOMAIN', 'ROOST_UPSTREAM']);

const unknownIn = (text: string): string[] =>
  (text.match(/\bROOST_[A-Z_]+\b/g) ?? []).filter((name) => !known.has(name) && !OF_THE_PROXY.has(name));

describe('the files for deployment', () => {
  it('name only variables that the server reads', () => {
    expect(unknownIn('ROOST_PORT: 1\nROOST_PROT: 1')).toEqual(['ROOST_PROT']);
    expect(names.length).toBeGreaterThan(7);
    expect(names.flatMap(unknownIn)).toEqual([]);
    expect(names.flatMap((name) => unknownIn(read(name)))).toEqual([]);
  });

  it('set for the server none that only the proxy has', () => {
    const [server = ''] = read('compose.yaml').split('\n  caddy:');
    expect(
      server
        .match(/^ {6}(ROOST_\w+):/gm)
        ?.map((line) => line.trim().slice(0, -1))
        .filter((name) => !known.has(name)),
    ).toEqual([]);
    for (const name of ['roost.env', 'roost.service']) expect(read(name)).not.toMatch(/ROOST_(DOMAIN|UPSTREAM)/);
  });

  it('copy only what the repository has, or what the build makes', () => {
    const copied = read('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied).toContain('package-lock.json');
    expect(copied.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  });

  it('take a release of Node that the program runs on, and the port that it listens on', () => {
    const releases = [...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, release]) => Number(release));
    expect(releases.length).toBeGreaterThan(0);
    expect(releases.every((release) => release >= 22 && release % 2 === 0)).toBe(true);
    const variables: readonly Variable[] = VARIABLES;
    const port = variables.find(({ name }) => name === 'ROOST_PORT')?.default;
    for (const name of ['Dockerfile', 'compose.yaml', 'Caddyfile', 'nginx.conf']) {
      const ports = [...read(name).matchAll(/\b99\d\d\b/g)].map(([found]) => found);
      expect([name, new Set(ports)]).toEqual([name, new Set([port])]);
    }
  });

  it('keep the metrics from the world, and wait longer than a poll does', () => {
    expect(read('nginx.conf')).toMatch(/location = \/metrics \{ return 404; \}/);
    expect(read('Caddyfile')).toMatch(/@metrics path \/metrics\n\s*respond @metrics 404/);
    expect(Number(/proxy_read_timeout (\d+)s/.exec(read('nginx.conf'))?.[1])).toBeGreaterThan(90);
  });

  it('alarm on metrics that are documented and measured, and show them', () => {
    const documented = readFileSync(`${root}/docs/operations.md`, 'utf8');
    const sources = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(`${root}/src/${path}`, 'utf8'))
      .join('\n');
    for (const [file, least] of [
      ['alerts.yaml', 5],
      ['grafana.json', 10],
    ] as const) {
      // Histograms have names of their own for their parts.
      const names = (read(file).match(/\broost_[a-z_]+\b/g) ?? []).map((name) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      );
      const metrics = [...new Set(names)];
      expect(metrics.length).toBeGreaterThanOrEqual(least);
      const isKnown = (name: string) => documented.includes(`\`${name}\``) && sources.includes(name);
      expect([file, metrics.filter((name) => !isKnown(name))]).toEqual([file, []]);
    }
    const { panels } = JSON.parse(read('grafana.json')) as { panels: { id: number; targets: unknown[] }[] };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.every(({ targets }) => targets.length > 0)).toBe(true);
  });
});
