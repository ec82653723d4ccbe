import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, freePort, residentMib, startChild } from '../support/child.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';
import { timeTransfer, transfer } from '../support/transfer.ts';

/** MiB of the file that is sent with interruptions, and of the files whose speed is measured. */
const LARGE_MIB = Number(process.env['BENCH_FILE_MIB'] ?? 2048);
const PACED_MIB = 512;
const ROUNDS = 5;
const INTERRUPTIONS = 3;
const MIB = 1024 * 1024;
const FLOOR = fileURLToPath(new URL('../support/file-floor-server.ts', import.meta.url));

interface Target {
  readonly server: Child;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Files: memory while a large one arrives with interruptions, then speed compared with a bare server that streams to a
 * file.
 */
export async function benchFiles(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: 1, channels: 0, subscribers: 0 });
  const server = await startRoost(folder, { ROOST_MAX_UPLOAD_MIB: String(LARGE_MIB) });
  const [owner] = accounts;
  const authorization = `Basic ${Buffer.from(`${owner?.email}:${owner?.api_key}`).toString('base64')}`;
  const target = { server, headers: { authorization } };
  try {
    await interrupted(target);
    await removeFiles(target);
    await pace(target);
  } finally {
    await server.stop();
    remove();
  }
}

/** Uploads one large file by tus with repeated interruptions; reports the memory that it takes. */
async function interrupted(target: Target): Promise<void> {
  const { server } = target;
  const before = residentMib(server.pid);
  let highest = before;
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMib(server.pid));
  }, 20);
  try {
    const path = await begin(target, LARGE_MIB * MIB);
    for (let rest = INTERRUPTIONS; rest >= 0; rest--) await goOn(target, path, rest);
  } finally {
    clearInterval(watch);
  }
  const what = `${LARGE_MIB} MiB by tus, ${INTERRUPTIONS} interruptions (bar 150)`;
  report('file', what, `${(highest - before).toFixed(0)} MiB more resident, from ${before.toFixed(0)}`);
}

/** Sends the rest of an upload, or a share of it if there are interruptions to come. */
async function goOn(target: Target, path: string, interruptionsLeft: number): Promise<void> {
  const { port } = target.server;
  const head = await transfer({ port, method: 'HEAD', path, headers: { ...target.headers, ...PROTOCOL } });
  const offset = Number(head?.headers['upload-offset']);
  const bytes = LARGE_MIB * MIB - offset;
  const piece = { port, method: 'PATCH', path, headers: pieceHeaders(target, offset), bytes };
  if (interruptionsLeft === 0) await timeTransfer(piece);
  else await transfer({ ...piece, breakAfter: Math.floor(bytes / (interruptionsLeft + 1)) });
}

const PROTOCOL = { 'tus-resumable': '1.0.0' };

const pieceHeaders = ({ headers }: Target, offset: number) => ({
  ...headers,
  ...PROTOCOL,
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
});

/** Starts a resumable upload; returns its address. */
async function begin({ server, headers }: Target, bytes: number): Promise<string> {
  const name = Buffer.from('large.bin').toString('base64');
  const said = { ...headers, ...PROTOCOL, 'upload-length': String(bytes), 'upload-metadata': `filename ${name}` };
  const made = await transfer({ port: server.port, method: 'POST', path: '/api/v1/tus/', headers: said });
  return new URL(made?.headers.location ?? '', 'http://localhost/api/v1/tus/').pathname;
}

/** Measures each way of transferring a file alternately with the floor's, so that other load affects all. */
async function pace(target: Target): Promise<void> {
  const floor = await startFileFloor();
  const times = new Map<string, number[]>();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, way] of Object.entries(waysOf(target, floor.port)))
        times.set(name, [...(times.get(name) ?? []), await way()]);
      await removeFiles(target);
    }
  } finally {
    await floor.stop();
  }
  const mibPerSecond = (name: string) => (PACED_MIB * 1000) / quantile(times.get(name) ?? [], 0.5);
  for (const [what, name, floorName] of COMPARED) {
    const [ours, bare] = [mibPerSecond(name), mibPerSecond(floorName)];
    const share = `${((100 * ours) / bare).toFixed(0)} %`;
    report('file', `${what} (bar 60 %)`, `${ours.toFixed(0)} MiB/s, ${share} of ${bare.toFixed(0)}`);
  }
}

/** Each measured way, and the floor that it is compared with. */
const COMPARED = [
  ['upload by a form, beside a bare server', 'form', 'bare'],
  ['upload by a form, beside one that flushes', 'form', 'flushed'],
  ['upload by tus, beside a bare server', 'tus', 'bare'],
  ['upload by tus, beside one that flushes', 'tus', 'flushed'],
  ['download, beside a bare server', 'read', 'bareRead'],
] as const;

/** Returns functions that transfer a file of `PACED_MIB` each way, and return the milliseconds. */
function waysOf(target: Target, floorPort: number) {
  const bytes = PACED_MIB * MIB;
  const { headers } = target;
  const { port } = target.server;
  const form = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers };
  const upload = { port, method: 'POST', path: '/api/v1/user_uploads', headers: form, bytes, around: AROUND };
  return {
    bare: () => timeTransfer({ port: floorPort, method: 'PUT', path: '/', bytes }),
    form: () => timeTransfer(upload),
    flushed: () => timeTransfer({ port: floorPort, method: 'PUT', path: '/durably', bytes }),
    tus: async () => {
      const path = await begin(target, bytes);
      return timeTransfer({ port, method: 'PATCH', path, headers: pieceHeaders(target, 0), bytes });
    },
    bareRead: () => timeTransfer({ port: floorPort, method: 'GET', path: '/' }),
    read: async () => {
      const [file] = await attachmentsOf(target);
      return timeTransfer({ port, method: 'GET', path: `/user_uploads/${file?.path_id}`, headers });
    },
  };
}

const BOUNDARY = 'part-of-a-form';
const AROUND = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`,
  `\r\n--${BOUNDARY}--\r\n`,
] as const;

async function attachmentsOf({ server, headers }: Target): Promise<readonly { id: number; path_id: string }[]> {
  const answer = await transfer({ port: server.port, method: 'GET', path: '/api/v1/attachments', headers });
  return JSON.parse(answer?.text ?? '{}').attachments;
}

/** Deletes all files; the server removes their bytes soon after. */
async function removeFiles(target: Target): Promise<void> {
  const { server, headers } = target;
  for (const { id } of await attachmentsOf(target))
    await timeTransfer({ port: server.port, method: 'DELETE', path: `/api/v1/attachments/${id}`, headers });
}

async function startFileFloor(): Promise<Child> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-floor-'));
  const port = await freePort();
  const settings = { FLOOR_DIR: folder, FLOOR_PORT: String(port) };
  const child = await startChild(['--conditions=source', '--import', 'tsx', FLOOR], port, settings);
  return {
    ...child,
    stop: async () => {
      await child.stop('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
