import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectStore, startObjectStore } from '../../support/object-store.ts';
import { findObjectStoreProgram } from '../../support/object-store-program.ts';
import { freePort, MAIN, type ServerProcess, startProcess } from '../../support/process.ts';
import { Proxy } from './proxy.ts';
import { Postgres, Redis } from './services.ts';

/** What there is besides PostgreSQL. */
interface With {
  readonly withRedis?: boolean;
  readonly withFiles?: boolean;
}

/** Processes that serve one database, with a proxy before everything that they need. */
export class Cluster {
  readonly postgres = new Postgres();
  readonly redis = new Redis();
  readonly dataDir = mkdtempSync(join(tmpdir(), 'roost-faults-'));
  readonly nodes: ServerProcess[] = [];
  #ports: number[] = [];
  #toDatabase: Proxy | undefined;
  #toRedis: Proxy | undefined;
  #objectStore: ObjectStore | undefined;
  #toFiles: Proxy | undefined;
  readonly #with: With;
  /** What the process of a number is told beside what all are. */
  readonly told = new Map<number, Readonly<Record<string, string>>>();
  /** What processes run that start from now on. */
  program = MAIN;

  constructor(others: With) {
    this.#with = others;
  }

  get toDatabase(): Proxy {
    if (!this.#toDatabase) throw new Error('the cluster has not been made');
    return this.#toDatabase;
  }

  get toRedis(): Proxy {
    if (!this.#toRedis) throw new Error('the cluster has no Redis');
    return this.#toRedis;
  }

  get toFiles(): Proxy {
    if (!this.#toFiles) throw new Error('the cluster has no object store');
    return this.#toFiles;
  }

  async make(nodes: number): Promise<void> {
    await this.postgres.make();
    this.#toDatabase = new Proxy(this.postgres.port);
    await this.#toDatabase.listen();
    if (this.#with.withRedis) {
      await this.redis.make();
      this.#toRedis = new Proxy(this.redis.port);
      await this.#toRedis.listen();
    }
    if (this.#with.withFiles) await this.#makeFiles();
    for (let index = 0; index < nodes; index++) {
      this.#ports.push(await freePort());
      this.nodes.push(await this.open(index));
    }
  }

  /** Starts the process of this number; the others find it at the address that it had. */
  open(index: number): Promise<ServerProcess> {
    const database = {
      dataDir: this.dataDir,
      databaseUrl: this.postgres.url(this.toDatabase.port),
      remove: () => Promise.resolve(),
    };
    const environment = {
      ...(this.#with.withRedis && {
        ROOST_RATE_LIMITS: 'on',
        ROOST_REDIS_URL: `redis://127.0.0.1:${this.toRedis.port}`,
      }),
      ...(this.#objectStore && { ROOST_UPLOADS_URL: this.#filesUrl(this.#objectStore) }),
      ...this.told.get(index),
    };
    return startProcess(database, this.#ports[index] ?? 0, environment, 'demo', { program: this.program });
  }

  async #makeFiles(): Promise<void> {
    this.#objectStore = await startObjectStore((await findObjectStoreProgram()) ?? '');
    this.#toFiles = new Proxy(Number(/127\.0\.0\.1%3A(\d+)/.exec(this.#objectStore.url(''))?.[1]));
    await this.#toFiles.listen();
  }

  #filesUrl(store: ObjectStore): string {
    return store.url('roost').replace(/(127\.0\.0\.1%3A)\d+/, `$1${this.toFiles.port}`);
  }

  /** Ends a process and starts it again. */
  async replace(index: number, signal: NodeJS.Signals): Promise<void> {
    await this.nodes[index]?.kill(signal);
    this.nodes[index] = await this.open(index);
  }

  /** What the processes have written that tells of an end nobody asked for. */
  deaths(): readonly string[] {
    return this.nodes.filter((node) => !node.isRunning()).map((node) => node.output().slice(-2000));
  }

  /** What the processes have logged of failures that they take for faults of their own. */
  unexpected(): readonly string[] {
    const lines = this.nodes.flatMap((node) => node.output().split('\n'));
    return lines.filter((line) => line.includes('"msg":"a request failed unexpectedly"'));
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill('SIGKILL')));
    await this.#toDatabase?.close();
    await this.#toRedis?.close();
    await this.#toFiles?.close();
    await this.#objectStore?.stop();
    await this.redis.stop();
    await this.postgres.remove();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
