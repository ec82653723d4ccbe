import { gunzipSync } from 'node:zlib';
import { Connection, request } from '../support/connection.ts';
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
    if (name === 'L') await herd(folder, accounts.slice(0, HERD));
    remove();
  }
}

async function herd(
  folder: string,
  accounts: readonly { id: number; email: string; api_key: string }[],
): Promise<void> {
  const server = await startRoost(folder);
  const connections = await Promise.all(accounts.map(() => Connection.open(server.port)));
  const started = performance.now();
  await Promise.all(
    connections.map((connection, index) =>
      connection.send(request(accounts[index], 'POST', '/register', PARAMETERS, 'Accept-Encoding: gzip\r\n')),
    ),
  );
  report(
    'B6',
    `L: ${accounts.length} clients at once after a restart (bar 2,000)`,
    `${(performance.now() - started).toFixed(0)} ms`,
  );
  for (const connection of connections) connection.close();
  await server.stop();
}

function sizes(body: Buffer): string {
  const isPacked = body[0] === 0x1f;
  const plain = isPacked ? gunzipSync(body).length : body.length;
  return `${(plain / 1024).toFixed(0)} KiB, ${(body.length / 1024).toFixed(0)} KiB sent`;
}
