import { gunzipSync } from 'node:zlib';
import { type Child, cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { Drain } from '../support/drain.ts';
import { startFloor } from '../support/floor.ts';
import { registration } from '../support/registration.ts';
import { prepare, type Size, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

/** Sizes of organizations: users, channels and subscribers of each channel; bars in milliseconds, warm and cold. */
const SIZES: Readonly<Record<string, Size & { warm: number; cold: number }>> = {
  S: { users: 50, channels: 20, subscribers: 25, warm: 2, cold: 20 },
  M: { users: 1000, channels: 200, subscribers: 100, warm: 3, cold: 60 },
  L: { users: 10_000, channels: 1000, subscribers: 800, warm: 5, cold: 250 },
};
const HERD = 500;

/** B6: registering cold, warm and after a change; and 500 clients at once after a restart. */
export async function b6(): Promise<void> {
  for (const [name, size] of Object.entries(SIZES)) {
    const { folder, accounts, remove } = await prepare(size);
    const server = await startRoost(folder);
    const drain = await Drain.open(server.port);
    const registering = registration(accounts[1]);
    const first = await timed(drain, registering);
    const warm: number[] = [];
    for (let i = 0; i < 100; i++) warm.push(await timed(drain, registering));
    await drain.send(
      request(accounts[2], 'POST', '/messages', { type: 'channel', to: 'channel 0', topic: 't', content: 'a change' }),
    );
    const changed = await timed(drain, registering);
    const connection = await Connection.open(server.port);
    const body = await connection.send(registering);
    const bare = await bareTime(body.length);
    report(
      'B6',
      `${name}: cold (bar ${size.cold}), warm p50 (bar ${size.warm}), after a change`,
      `${first.toFixed(1)}, ${quantile(warm, 0.5).toFixed(2)}, ${changed.toFixed(1)} ms; ${sizes(body)}; ready bytes from a bare server ${bare.toFixed(2)} ms`,
    );
    drain.close();
    connection.close();
    await server.stop();
    if (name === 'L') await herd(folder, accounts, body.length);
    remove();
  }
}

/** Returns the milliseconds until the last byte of an answer has arrived. */
async function timed(drain: Drain, bytes: Buffer): Promise<number> {
  const started = performance.now();
  await drain.send(bytes);
  return performance.now() - started;
}

async function herd(folder: string, accounts: readonly Account[], bytes: number): Promise<void> {
  const server = await startRoost(folder);
  const ours = await allAtOnce(server, bytes, (index) => registration(accounts[index]));
  await server.stop();
  const bare = await withBare(bytes, (floor) => allAtOnce(floor, bytes, () => KEPT));
  report('B6', `L: ${HERD} clients at once after a restart (bar 2,000 ms)`, `${ours}; a bare server ${bare}`);
}

/** Returns the milliseconds that a bare server takes to send as many bytes to one client. */
function bareTime(bytes: number): Promise<number> {
  return withBare(bytes, async ({ port }) => {
    const drain = await Drain.open(port);
    const times: number[] = [];
    for (let i = 0; i < 20; i++) times.push(await timed(drain, KEPT));
    drain.close();
    return quantile(times, 0.5);
  });
}

const KEPT = request(undefined, 'POST', '/users/me/presence');

/** Runs a measurement on a bare server that answers with so many prepared bytes. */
async function withBare<T>(bytes: number, measure: (floor: Child) => Promise<T>): Promise<T> {
  const floor = await startFloor();
  const preparing = await Connection.open(floor.port);
  await preparing.send(request(undefined, 'POST', '/keep', { answer: 'x'.repeat(bytes) }));
  preparing.close();
  try {
    return await measure(floor);
  } finally {
    await floor.stop();
  }
}

/** Opens a connection for each client and sends all requests at once; measures until the last is answered. */
async function allAtOnce(server: Child, bytes: number, requestOf: (index: number) => Buffer): Promise<string> {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const drains = await Promise.all(Array.from({ length: HERD }, () => Drain.open(server.port, buffer)));
  const [started, used] = [performance.now(), cpuSeconds(server.pid)];
  const lengths = await Promise.all(drains.map((drain, index) => drain.send(requestOf(index))));
  const [ms, cpu] = [performance.now() - started, (cpuSeconds(server.pid) - used) * 1000];
  for (const drain of drains) drain.close();
  if (Math.min(...lengths) < bytes / 2) throw new Error('somebody was not told all');
  return `${ms.toFixed(0)} ms (${(cpu / HERD).toFixed(1)} ms of processor each)`;
}

function sizes(body: Buffer): string {
  const isPacked = body[0] === 0x1f;
  const plain = isPacked ? gunzipSync(body).length : body.length;
  return `${(plain / 1024).toFixed(0)} KiB, ${(body.length / 1024).toFixed(0)} KiB sent`;
}
