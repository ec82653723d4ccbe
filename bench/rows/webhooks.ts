import { INTEGRATIONS } from '#features/integrations';
import { cpuSeconds } from '../support/child.ts';
import { Connection, request } from '../support/connection.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { report, spread } from '../support/statistics.ts';

const SECONDS = 4;
/** Number of people who send messages meanwhile. */
const OTHERS = 4;

/** GitHub's pushes that become messages, while people send their own (bar 300 per second). */
export async function benchWebhooks(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: 10, channels: 2, subscribers: 10 });
  const server = await startRoost(folder);
  const setUp = await Connection.open(server.port);
  const bot = { full_name: 'Builder', short_name: 'builder', bot_type: 2 };
  const { api_key: key } = JSON.parse(String(await setUp.send(request(accounts[0], 'POST', '/bots', bot))));
  setUp.close();
  const push = pushTo(`/api/v1/external/github?api_key=${key}&stream=channel+0`);
  const own = (sender: number) =>
    request(accounts[sender], 'POST', '/messages', {
      type: 'channel',
      to: 'channel 1',
      topic: 'bench',
      content: 'Aye',
    });
  for (const services of [1, 16]) {
    await Promise.all([...clients(server.port, services, 1, () => push), ...clients(server.port, OTHERS, 1, own)]);
    const cpu = cpuSeconds(server.pid);
    const posts = Promise.all(clients(server.port, services, SECONDS, () => push));
    const others = Promise.all(clients(server.port, OTHERS, SECONDS, own));
    const times = (await posts).flat();
    const name = `pushes of GitHub, ${services} at once beside ${OTHERS} senders (bar 300/s)`;
    const besides = (await others).flat().length;
    const each = (((cpuSeconds(server.pid) - cpu) * 1000) / (times.length + besides)).toFixed(2);
    const beside = `${(besides / SECONDS).toFixed(0)}/s of others; ${each} ms of processor for each message`;
    report('webhooks', name, `${(times.length / SECONDS).toFixed(0)}/s, ${spread(times)}; ${beside}`);
  }
  await server.stop();
  remove();
}

/** Returns a request with the sample of a push, as GitHub sends it. */
function pushTo(path: string): Buffer {
  const sample = INTEGRATIONS.find(({ name }) => name === 'github')?.samples[0];
  const body = JSON.stringify(sample?.json);
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(sample?.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns the milliseconds of each answer that clients receive one after the other in so many seconds. */
function clients(
  port: number,
  count: number,
  seconds: number,
  bytes: (client: number) => Buffer,
): readonly Promise<readonly number[]>[] {
  return Array.from({ length: count }, async (_one, client) => {
    const connection = await Connection.open(port);
    const times: number[] = [];
    const message = bytes(client);
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const started = performance.now();
      await connection.send(message);
      times.push(performance.now() - started);
    }
    connection.close();
    return times;
  });
}
