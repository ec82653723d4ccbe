import { gunzipSync } from 'node:zlib';
import { type Child, cpuSeconds } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { startFloor } from '../support/floor.ts';
import { prepare, type Size, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

/** Organizations: users, channels and subscribers of each channel; bars in milliseconds, warm and cold. */
const SIZES: Readonly<Record<string, Size & { warm: number; cold: number }>> = {
  S: { users: 50, channels: 20, subscribers: 25, warm: 2, cold: 20 },
  M: { users: 1000, channels: 200, subscribers: 100, warm: 3, cold: 60 },
  L: { users: 10_000, channels: 1000, subscribers: 800, warm: 5, cold: 250 },
};
const PARAMETERS = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: 'partial',
  slim_presence: true,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
};
const HERD = 500;

/** B6: registering, cold, warm and after a change; and 500 clients at once after a restart. */
export async function b6(): Promise<void> {
  for (const [name, size] of Object.entries(SIZES)) {
    const { folder, accounts, remove } = await prepare(size);
    const server = await startRoost(folder);
    const connection = await Connection.open(server.port);
    const once = async (index: number) => {
      const started = performance.now();
      const body = await connection.send(
        request(accounts[index % accounts.length], 'POST', '/register', PARAMETERS, 'Accept-Encoding: gzip\r\n'),
      );
      return { ms: performance.now() - started, body };
    };
    const first = await once(1);
    const warm: number[] = [];
    for (let i = 0; i < 20; i++) warm.push((await once(1)).ms);
    await connection.send(
      request(accounts[2], 'POST', '/messages', { type: 'channel', to: 'channel 0', topic: 't', content: 'a change' }),
    );
    const changed = await once(1);
    const size_ = sizes(first.body);
    report(
      'B6',
      `${name}: cold (bar ${size.cold}), warm p50 (bar ${size.warm}), after a change`,
      `${first.ms.toFixed(1)}, ${quantile(warm, 0.5).toFixed(2)}, ${changed.ms.toFixed(1)} ms; ${size_}`,
    );
    connection.close();
    await server.stop();
    if (name === 'L') await herd(folder, accounts);
    remove();
  }
}

async function herd(folder: string, accounts: readonly Account[]): Promise<void> {
  const server = await startRoost(folder);
  const { took, body } = await allAtOnce(server, (index) =>
    request(accounts[index], 'POST', '/register', PARAMETERS, 'Accept-Encoding: gzip\r\n'),
  );
  await server.stop();
  const bare = await bareHerd(body.length);
  report('B6', `L: ${HERD} clients at once after a restart (bar 2,000 ms)`, `${took}; a bare server ${bare}`);
}

/** What it takes a bare server to send as many bytes to as many clients. */
async function bareHerd(bytes: number): Promise<string> {
  const floor = await startFloor();
  const preparing = await Connection.open(floor.port);
  await preparing.send(request(undefined, 'POST', '/keep', { answer: 'x'.repeat(bytes) }));
  preparing.close();
  const { took } = await allAtOnce(floor, () => request(undefined, 'POST', '/users/me/presence'));
  await floor.stop();
  return took;
}

/** Opens a connection for each client, and lets all send at once: how long until the last has its answer. */
async function allAtOnce(server: Child, requestOf: (index: number) => Buffer) {
  const connections = await Promise.all(Array.from({ length: HERD }, () => Connection.open(server.port)));
  const [started, used] = [performance.now(), cpuSeconds(server.pid)];
  const bodies = await Promise.all(connections.map((connection, index) => connection.send(requestOf(index))));
  const [ms, cpu] = [performance.now() - started, (cpuSeconds(server.pid) - used) * 1000];
  for (const connection of connections) connection.close();
  return {
    took: `${ms.toFixed(0)} ms (${(cpu / HERD).toFixed(1)} ms of processor each)`,
    body: bodies[0] ?? Buffer.alloc(0),
  };
}

function sizes(body: Buffer): string {
  const isPacked = body[0] === 0x1f;
  const plain = isPacked ? gunzipSync(body).length : body.length;
  return `${(plain / 1024).toFixed(0)} KiB, ${(body.length / 1024).toFixed(0)} KiB sent`;
}
