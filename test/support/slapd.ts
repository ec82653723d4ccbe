import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Attribute, Change, Client } from 'ldapts';
import { DIRECTORY_CERTIFICATE, DIRECTORY_KEY } from './certificate.ts';

const PROGRAM = ['/usr/sbin/slapd', '/usr/libexec/slapd'].find((path) => existsSync(path));
/** Milliseconds until the server must be listening. */
const START_MS = 20_000;

const SUFFIX = 'dc=rookery,dc=example';
export const PEOPLE = `ou=people,${SUFFIX}`;
export const GROUPS = `ou=groups,${SUFFIX}`;
const MANAGER = { dn: `cn=admin,${SUFFIX}`, password: 'secret-of-the-manager' };
/** An account that may read everything and change nothing. */
export const READER = { dn: `cn=roost,${SUFFIX}`, password: 'secret-of-the-reader' };

/** Whether all threads of a process are stopped; on systems other than Linux this is assumed. */
function isStopped(pid: number | undefined): boolean {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return true;
  return readdirSync(threads).every((thread) => / T \d/.test(readFileSync(`${threads}/${thread}/stat`, 'utf8')));
}

/** Whether an OpenLDAP server is installed. In CI it throws where it is not. */
export function hasSlapd(): boolean {
  if (PROGRAM !== undefined) return true;
  if (process.env['CI']) throw new Error('slapd is missing: apt-get install slapd');
  process.stderr.write('Tests of directories are skipped: slapd is not installed.\n');
  return false;
}

type Values = Readonly<Record<string, string | Buffer | readonly string[]>>;

/** An OpenLDAP server on this machine with a folder of its own, and its manager's connection. */
export class Slapd {
  readonly url: string;
  readonly secureUrl: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #manager: Client;

  private constructor(folder: string, child: ChildProcess, ports: readonly [number, number]) {
    this.#folder = folder;
    this.#process = child;
    this.url = `ldap://127.0.0.1:${ports[0]}`;
    this.secureUrl = `ldaps://localhost:${ports[1]}`;
    this.#manager = new Client({ url: this.url, timeout: START_MS });
  }

  static async open(): Promise<Slapd> {
    const folder = mkdtempSync(join(tmpdir(), 'roost-slapd-'));
    const ports = [await freePort(), await freePort()] as const;
    mkdirSync(join(folder, 'data'));
    const files = {
      'slapd.conf': configuration(folder),
      'key.pem': DIRECTORY_KEY,
      'certificate.pem': DIRECTORY_CERTIFICATE,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const urls = `ldap://127.0.0.1:${ports[0]}/ ldaps://127.0.0.1:${ports[1]}/`;
    const child = spawn(PROGRAM ?? '', ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', urls], { stdio: 'ignore' });
    for (const port of ports) await untilListening(port);
    const slapd = new Slapd(folder, child, ports);
    await slapd.#fill();
    return slapd;
  }

  async close(): Promise<void> {
    await this.#manager.unbind();
    this.#process.kill();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Suspends the server with its connections open. Resolves once all of its threads are stopped, because the others go
   * on until the one that handles the signal has run.
   */
  async freeze(): Promise<void> {
    this.#process.kill('SIGSTOP');
    while (!isStopped(this.#process.pid)) await wait(1);
  }

  thaw(): void {
    this.#process.kill('SIGCONT');
  }

  add(dn: string, values: Values): Promise<void> {
    const attributes = Object.entries(values).map(([type, value]) => new Attribute({ type, values: listOf(value) }));
    return this.#manager.add(dn, attributes);
  }

  /** Adds a person with a password; missing values are derived from the name. */
  async addPerson(uid: string, values: Values = {}): Promise<string> {
    const dn = `uid=${uid},${PEOPLE}`;
    const person = {
      objectClass: 'inetOrgPerson',
      sn: uid,
      cn: uid,
      mail: `${uid}@roost.test`,
      userPassword: `${uid}-password`,
    };
    await this.add(dn, { ...person, ...values });
    return dn;
  }

  set(dn: string, type: string, value: string | Buffer | readonly string[]): Promise<void> {
    const modification = new Attribute({ type, values: listOf(value) });
    return this.#manager.modify(dn, new Change({ operation: 'replace', modification }));
  }

  remove(dn: string): Promise<void> {
    return this.#manager.del(dn);
  }

  async #fill(): Promise<void> {
    await this.#manager.bind(MANAGER.dn, MANAGER.password);
    await this.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'rookery', o: 'Rookery' });
    await this.add(READER.dn, {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      userPassword: READER.password,
    });
    await this.add(PEOPLE, { objectClass: 'organizationalUnit' });
    await this.add(GROUPS, { objectClass: 'organizationalUnit' });
  }
}

function listOf(value: string | Buffer | readonly string[]): string[] | Buffer[] {
  if (Buffer.isBuffer(value)) return [value];
  return typeof value === 'string' ? [value] : [...value];
}

/** Anonymous callers see nothing; a bind without a password counts as anonymous, as on some servers. */
function configuration(folder: string): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  return [
    ...schemas,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    `pidfile ${folder}/slapd.pid`,
    'allow bind_anon_cred bind_anon_dn',
    `TLSCertificateFile ${folder}/certificate.pem`,
    `TLSCertificateKeyFile ${folder}/key.pem`,
    'database mdb',
    'maxsize 268435456',
    `suffix "${SUFFIX}"`,
    `rootdn "${MANAGER.dn}"`,
    `rootpw ${MANAGER.password}`,
    `directory ${folder}/data`,
    'index objectClass,uid,mail eq',
    `limits dn.exact="${READER.dn}" size.prtotal=unlimited`,
    'overlay memberof',
    'memberof-group-oc groupOfNames',
    'access to attrs=userPassword by anonymous auth by * none',
    `access to * by dn.exact="${READER.dn}" read by self read by * none`,
    '',
  ].join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += 50) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('connect', () => resolve(socket.destroy() !== undefined));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await wait(50);
  }
  throw new Error(`slapd does not listen on ${port}`);
}
