import { Connection, request } from '../support/connection.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

const SUBSCRIBERS = 1000;
const ROUNDS = 8;

/** Subscribes 1,000 people to a channel by one call: one transaction, one event for them and one for everybody else. */
export async function benchSubscribe(): Promise<void> {
  const { folder, accounts, remove } = await prepare({ users: SUBSCRIBERS + 1, channels: ROUNDS, subscribers: 0 });
  const server = await startRoost(folder);
  const [owner, ...people] = accounts;
  const connection = await Connection.open(server.port);
  const principals = people.map((account) => account.id);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = request(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: `channel ${round}` }],
      principals,
    });
    const started = performance.now();
    await connection.send(bytes);
    times.push(performance.now() - started);
  }
  report('sub', '1,000 subscribers added by one call (bar 250 ms)', `p50 ${quantile(times, 0.5).toFixed(0)} ms`);
  connection.close();
  await server.stop();
  remove();
}
