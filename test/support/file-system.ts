import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Folders of a Debian system, mounted from this machine. */
const SHARED = ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'usr/share', 'usr/local/share', 'dev', 'proc'];
const LINKS = ['bin', 'sbin', 'lib', 'lib64'];
const SETTINGS = ['ssl', 'resolv.conf', 'hosts', 'nsswitch.conf', 'ld.so.cache', 'alternatives'];
/** The users of the image's base. */
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n';
const GROUP = 'root:x:0:\nnode:x:1000:\n';

/** How a program is run in it. */
interface Running {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** ID of the user and the group; root by default. */
  readonly user?: string;
  /** Whether it has a network namespace of its own. */
  readonly isAlone?: boolean;
}

/** A file system as an image would have it, in a folder: Debian's files are those of this machine. */
export class FileSystem {
  readonly root: string;

  /** npm's cache, which is that of this machine. */
  readonly #cache: string;

  /** `node`: paths of a release of Node, of npm and of its cache. */
  constructor(root: string, node: { readonly program: string; readonly npm: string; readonly cache: string }) {
    this.root = root;
    this.#cache = node.cache;
    for (const folder of [...SHARED, 'etc', 'tmp', 'root', 'usr/local/bin', 'usr/local/lib', 'var/npm'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const name of LINKS) if (existsSync(`/usr/${name}`)) symlinkSync(`usr/${name}`, join(root, name));
    for (const name of SETTINGS)
      if (existsSync(`/etc/${name}`))
        cpSync(`/etc/${name}`, join(root, 'etc', name), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(root, 'etc/passwd'), PASSWD);
    writeFileSync(join(root, 'etc/group'), GROUP);
    copyFileSync(node.program, join(root, 'usr/local/bin/node'));
    cpSync(node.npm, join(root, 'usr/local/lib/npm'), { recursive: true });
    symlinkSync('../lib/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  }

  /** Whether this machine allows it: root may, where nothing forbids that. */
  static async isPossible(): Promise<boolean> {
    const tried = run('unshare', [
      '--mount',
      '--net',
      'sh',
      '-c',
      'mount --bind /usr/bin /usr/bin && ip link set lo up',
    ]);
    return tried.then(
      () => true,
      () => false,
    );
  }

  /** Starts a program in it. */
  start(command: readonly string[], { cwd, env, user, isAlone = false }: Running): ChildProcess {
    const binds = SHARED.filter((path) => existsSync(`/${path}`)).map((path) => `mount --rbind /${path} "$0/${path}"`);
    binds.push(`mount --bind '${this.#cache}' "$0/var/npm"`);
    const alone = isAlone ? ['ip link set lo up'] : [];
    const as = user === undefined ? '' : `setpriv --reuid=${user} --regid=${user} --clear-groups`;
    const script = [...binds, ...alone, `exec chroot "$0" sh -c 'cd "$0" && exec ${as} "$@"' "$@"`].join(' && ');
    const flags = ['--mount', ...(isAlone ? ['--net'] : [])];
    return spawn('unshare', [...flags, 'sh', '-c', script, this.root, cwd, ...command], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Runs a line of a shell in it to its end. Rejects with its output when it fails. */
  async run(line: string, running: Running): Promise<void> {
    const child = this.start(['sh', '-c', line], running);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += String(bytes)));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`${line}: ${said.slice(-3000)}`);
  }

  /** Copies files as `COPY` does, except those on the list. */
  copy(from: string, to: string, leftOut: readonly string[] = []): void {
    const isLeftOut = (name: string) =>
      leftOut.some((one) => (one.startsWith('*') ? name.endsWith(one.slice(1)) : name === one));
    const place = join(this.root, to);
    for (const name of readdirSync(from)) {
      if (isLeftOut(name)) continue;
      const inner = leftOut.filter((one) => one.startsWith(`${name}/`)).map((one) => one.slice(name.length + 1));
      cpSync(join(from, name), join(place, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !inner.some((one) => path === join(from, name, one)),
      });
    }
  }
}
