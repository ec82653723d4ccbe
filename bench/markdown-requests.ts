import { hostileTexts } from '../test/support/hostile-texts.ts';
import { loopSeconds } from './support/child.ts';
import { Connection, request } from './support/connection.ts';
import { prepare, startRoost } from './support/roost.ts';
import { quantile } from './support/statistics.ts';

const LENGTH = 10_000;
const SHOWN = 5;
const WARM_UP_REQUESTS = 300;
const ROUNDS = 5;
const REQUESTS = 10;

/** Prints what the worst texts cost other callers: `POST /messages/render`, compared with prose of the same length. */
export async function printRequests(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: 20, channels: 5, subscribers: 10 });
  const server = await startRoost(folder);
  const connection = await Connection.open(server.port);
  const texts = hostileTexts(LENGTH);
  const asked = (text: string) => request(accounts[0], 'POST', '/messages/render', { content: text });
  const prose = asked(texts['plain'] ?? '');
  const send = async (bytes: Buffer, count: number): Promise<number> => {
    const start = loopSeconds(server.pid);
    for (let index = 0; index < count; index++) await connection.send(bytes);
    return ((loopSeconds(server.pid) - start) * 1000) / count;
  };
  await send(prose, WARM_UP_REQUESTS);
  for (const text of Object.values(texts)) await send(asked(text), ROUNDS);
  const all: { name: string; ms: number; times: number }[] = [];
  for (const [name, text] of Object.entries(texts)) all.push({ name, ...(await beside(send, asked(text), prose)) });
  all.sort((a, b) => b.times - a.times);
  const proseMs = quantile(
    all.map(({ ms, times }) => ms / times),
    0.5,
  );
  console.log(
    `POST /messages/render of ${LENGTH.toLocaleString('en')} characters of prose: ${proseMs.toFixed(2)} ms of the event ` +
      `loop's processor time. The worst of ${all.length} hostile texts:`,
  );
  for (const { name, ms, times } of all.slice(0, SHOWN))
    console.log(`  ${times.toFixed(1)}x prose, ${ms.toFixed(2)} ms ${name}`);
  connection.close();
  await server.stop();
  remove();
}

type Send = (bytes: Buffer, count: number) => Promise<number>;

/** Measures both in turns, so that other load affects both. */
async function beside(send: Send, one: Buffer, other: Buffer): Promise<{ ms: number; times: number }> {
  let [ms, otherMs] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    otherMs += await send(other, 2 * REQUESTS);
    ms += await send(one, REQUESTS);
  }
  return { ms: ms / ROUNDS, times: ms / otherMs };
}
