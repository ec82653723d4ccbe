import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { S3mini } from 's3mini';

/** Seconds after which a start is given up. */
const START_SECONDS = 90;
/** The server's listeners, each of which needs a port. The last one is that of S3. */
const LISTENERS = ['master.port', 'master.port.grpc', 'volume.port', 'volume.port.grpc', 'filer.port'] as const;
const MORE_LISTENERS = ['filer.port.grpc', 's3.port.grpc', 's3.port'] as const;

const CREDENTIALS = { accessKeyId: 'roost-tests', secretAccessKey: 'secret/of+tests', region: 'us-east-1' };
const BUCKET = 'files';

/** A real S3 server in a folder of its own. */
export interface ObjectStore {
  /** The address of the bucket, in the form of `openFiles`; each `prefix` is a store of its own. */
  url(prefix: string): string;
  /** A client of the bucket, to check what the tested code has stored. */
  readonly client: S3mini;
  stop(): Promise<void>;
}

/** Starts the program on free ports of this machine and creates a bucket; resolves when a file can be stored in it. */
export async function startObjectStore(program: string): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'roost-object-store-'));
  const listeners = [...LISTENERS, ...MORE_LISTENERS];
  const ports = await freePorts(listeners.length);
  await writeFile(join(folder, 's3.json'), JSON.stringify(identities()));
  const listening = listeners.map((name, index) => `-${name}=${ports[index]}`);
  const child = spawn(program, [...commandLine(folder), ...listening], { cwd: folder, stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${ports.at(-1)}`;
  const client = new S3mini({ ...CREDENTIALS, endpoint: `${endpoint}/${BUCKET}` });
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  await makeBucket(child, client).catch((error: unknown) => stop().then(() => Promise.reject(error)));
  const user = `${CREDENTIALS.accessKeyId}:${encodeURIComponent(CREDENTIALS.secretAccessKey)}`;
  const query = new URLSearchParams({ endpoint, region: CREDENTIALS.region }).toString();
  return { url: (prefix) => `s3://${user}@${BUCKET}/${prefix}?${query}`, client, stop };
}

function identities(): unknown {
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = CREDENTIALS;
  const actions = ['Admin', 'Read', 'Write', 'List'];
  return { identities: [{ name: 'tests', credentials: [{ accessKey, secretKey }], actions }] };
}

function commandLine(folder: string): string[] {
  const here = ['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-master.telemetry=false'];
  const small = ['-volume.max=50', '-master.volumeSizeLimitMB=32', '-s3.port.iceberg=0', '-s3.port.lance=0'];
  const sockets = [`-filer.localSocket=${join(folder, 'filer')}`, `-s3.localSocket=${join(folder, 's3')}`];
  return ['server', `-dir=${folder}`, '-s3', `-s3.config=${join(folder, 's3.json')}`, ...here, ...small, ...sockets];
}

/** Retries until the server's parts have found each other, which nothing announces. */
async function makeBucket(child: ChildProcess, client: S3mini): Promise<void> {
  for (const deadline = performance.now() + START_SECONDS * 1000; ; await delay(200)) {
    if (child.exitCode !== null) throw new Error(`the object store ended with code ${child.exitCode}`);
    try {
      await client.createBucket();
      await client.putObject('probe', 'probe');
      await client.deleteObject('probe');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw new Error('the object store did not start', { cause: error });
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Returns ports that were free a moment ago. All are held until the last is known, so that none is returned twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
