import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pause } from '../../support/pause.ts';
import { freePort } from '../../support/process.ts';

/** Where Debian keeps the programs of PostgreSQL, one folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
/** Milliseconds that a service gets to take connections. */
const START_MS = 30_000;

/** Where a program of PostgreSQL is; undefined without one. */
function postgresProgram(name: string): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(DEBIAN, version, 'bin', name)).find((path) => existsSync(path));
}

/** Whether the machine has what the suite breaks. */
export function hasServices(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
  } catch {
    return false;
  }
  return postgresProgram('initdb') !== undefined;
}

/** PostgreSQL refuses to run as root: then it runs as its own user. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** A PostgreSQL server of our own, to be broken. */
export class Postgres {
  #folder = mkdtempSync(join(tmpdir(), 'roost-faults-postgres-'));
  #standby: { readonly folder: string; readonly port: number; readonly child: ChildProcess } | undefined;
  readonly #owner = owner();
  #child: ChildProcess | undefined;
  port = 0;

  async make(): Promise<void> {
    if (this.#owner) chownSync(this.#folder, this.#owner.uid, this.#owner.gid);
    this.port = await freePort();
    const initdb = ['-D', this.#folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
    execFileSync(postgresProgram('initdb') ?? '', initdb, { stdio: 'ignore', ...this.#owner });
    await this.start();
  }

  async start(): Promise<void> {
    this.#child = this.#run(this.#folder, this.port);
    await this.#untilUp(this.port);
  }

  #run(folder: string, port: number): ChildProcess {
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=`, 'max_connections=60'];
    const args = ['-D', folder, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
    return spawn(postgresProgram('postgres') ?? '', args, { stdio: 'ignore', ...this.#owner });
  }

  async #untilUp(port: number): Promise<void> {
    for (const deadline = performance.now() + START_MS; ; await pause(50)) {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not start');
      const isUp = await this.ask('select 1', port).catch(() => undefined);
      if (isUp) return;
    }
  }

  /** Ends it: `SIGINT` cuts connections and closes in order, `SIGQUIT` is a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async ask(text: string, port = this.port): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: this.url(port), application_name: 'faults' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  /** Begins a standby at another address, which has everything that is acknowledged from then on. */
  async follow(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'roost-faults-standby-'));
    if (this.#owner) chownSync(folder, this.#owner.uid, this.#owner.gid);
    const port = await freePort();
    const from = ['-d', this.url(this.port), '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    await promisify(execFile)(postgresProgram('pg_basebackup') ?? '', from, { ...this.#owner });
    this.#standby = { folder, port, child: this.#run(folder, port) };
    await this.#untilUp(port);
    await this.ask(`alter system set synchronous_standby_names = '*'`);
    await this.ask('select pg_reload_conf()');
    for (const deadline = performance.now() + START_MS; ; await pause(50)) {
      if (performance.now() > deadline) throw new Error('the standby does not follow');
      const { rowCount } = await this.ask(`select 1 from pg_stat_replication where sync_state = 'sync'`);
      if (rowCount === 1) return;
    }
  }

  /** Ends the server as a crash does, and makes its standby the server. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (!standby) throw new Error('there is no standby');
    await this.stop('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
    this.#standby = undefined;
    this.#folder = standby.folder;
    this.#child = standby.child;
    this.port = standby.port;
    await this.ask('select pg_promote()');
  }

  /** Cuts every connection of the servers under test. */
  async terminateAll(): Promise<void> {
    await this.ask(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'roost%'`);
  }

  /** Cuts the connections over which processes hear of each other. */
  async terminateListeners(): Promise<void> {
    await this.ask(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'roost-wake-ups'`);
  }

  /** Whether transactions can only read, also those of connections that there are. */
  async setReadOnly(isReadOnly: boolean): Promise<void> {
    await this.ask(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    await this.ask('select pg_reload_conf()');
  }

  url(port: number): string {
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
    if (!this.#standby) return;
    this.#standby.child.kill('SIGQUIT');
    rmSync(this.#standby.folder, { recursive: true, force: true });
  }
}

/** A Redis of our own, to be broken. */
export class Redis {
  #child: ChildProcess | undefined;
  port = 0;

  async make(): Promise<void> {
    this.port = await freePort();
    await this.start();
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn('redis-server', args, { stdio: 'ignore', cwd: tmpdir() });
    for (const deadline = performance.now() + START_MS; !(await takes(this.port)); await pause(20))
      if (performance.now() > deadline) throw new Error('Redis did not start');
  }

  /** Bounds what it may keep, in bytes; 0 for no bound. */
  async setMemory(bytes: number): Promise<void> {
    const socket = connect(this.port, '127.0.0.1');
    socket.write(`CONFIG SET maxmemory ${bytes}\r\n`);
    await once(socket, 'data');
    socket.destroy();
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

function takes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
