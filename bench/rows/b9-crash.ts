import { prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';
import { Traffic } from '../support/traffic.ts';

const QUEUES = 200;
const MESSAGES_PER_SECOND = 200;
/** Number of kills; `BENCH_KILLS` sets it. */
const KILLS = Number(process.env['BENCH_KILLS'] ?? 5);

/** B9: kills a busy server at random times, and checks its clients' histories after the restart. */
export async function b9(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: QUEUES, channels: 1, subscribers: QUEUES });
  let server = await startRoost(folder);
  const traffic = new Traffic(server.port, accounts, { queues: QUEUES, messagesPerSecond: MESSAGES_PER_SECOND });
  await traffic.begin();
  const firsts: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 1000 + 2000 * Math.random()));
    await server.stop('SIGKILL');
    server = await startRoost(folder, {}, server.port);
    firsts.push(await traffic.heardByAllAfter(performance.now()));
  }
  const outcome = await traffic.end();
  const latest = Math.max(...firsts).toFixed(0);
  report(
    'B9',
    `${QUEUES} queues, ${KILLS} kills: a first event for the last (bar 1,000)`,
    `${latest} ms after "ready"`,
  );
  report('B9', `${MESSAGES_PER_SECOND} messages a second (bar 0, 0, 0)`, outcome);
  await server.stop('SIGKILL');
  remove();
}
