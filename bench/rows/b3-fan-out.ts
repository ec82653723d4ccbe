import type { Child } from '../support/child.ts';
import { cpuSeconds, residentMib } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { startFloor } from '../support/floor.ts';
import { Listener } from '../support/listener.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';

const ROUNDS = 6;
/** Milliseconds between messages: long enough for every queue to be parked again. */
const PAUSE_MS = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function listenersOn(server: Child, accounts: readonly Account[], count: number): Promise<Listener[]> {
  const listeners: Listener[] = [];
  for (let i = 0; i < count; i++) {
    const account = accounts[i % accounts.length];
    if (!account) throw new Error('there are no accounts');
    listeners.push(await Listener.register(server.port, account));
  }
  return listeners;
}

/** B3: milliseconds until the last of many parked queues has a message, compared with a bare hub. */
export async function b3(): Promise<void> {
  const bars: Readonly<Record<number, number>> = { 100: 15, 500: 35, 1000: 60, 5000: 250 };
  for (const count of [100, 500, 1000, 5000]) {
    const { folder, accounts, remove } = await prepare({ users: count, channels: 1, subscribers: count });
    const [server, floor] = [await startRoost(folder), await startFloor()];
    const listeners = await listenersOn(server, accounts, count);
    const sender = await Connection.open(server.port);
    const message = request(accounts[0], 'POST', '/messages', {
      type: 'channel',
      to: 'channel 0',
      topic: 'bench',
      content: 'one for all @**User Number 1**',
    });
    const lasts: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const waiting = listeners.map((listener) => listener.next());
      await pause(PAUSE_MS);
      const started = performance.now();
      await sender.send(message);
      await Promise.all(waiting);
      if (round > 0) lasts.push(performance.now() - started);
    }
    const floors = await floorRounds(floor, count);
    const [ours, bare] = [quantile(lasts, 0.5), quantile(floors, 0.5)];
    report(
      'B3',
      `${count} parked queues, last served (bar ${bars[count]} ms, 4x floor)`,
      `${ours.toFixed(1)} ms; floor ${bare.toFixed(1)} ms, ${(ours / bare).toFixed(1)}x`,
    );
    sender.close();
    for (const listener of listeners) listener.close();
    await Promise.all([server.stop('SIGKILL'), floor.stop()]);
    remove();
  }
}

async function floorRounds(floor: Child, count: number): Promise<number[]> {
  const connections: Connection[] = [];
  for (let i = 0; i < count; i++) connections.push(await Connection.open(floor.port));
  const waker = await Connection.open(floor.port);
  const [wait, wake] = [
    request(undefined, 'GET', '/wait'),
    request(undefined, 'POST', '/wake', { content: 'x'.repeat(500) }),
  ];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const waiting = connections.map((connection) => connection.send(wait));
    await pause(PAUSE_MS);
    const started = performance.now();
    await waker.send(wake);
    await Promise.all(waiting);
    if (round > 0) times.push(performance.now() - started);
  }
  for (const connection of [...connections, waker]) connection.close();
  return times;
}

/** B4: deliveries per second when messages follow each other and every queue polls again at once. */
export async function b4(): Promise<void> {
  for (const count of [500, 1000]) {
    const messages = 100;
    const { folder, accounts, remove } = await prepare({ users: count, channels: 1, subscribers: count });
    const server = await startRoost(folder);
    const listeners = await listenersOn(server, accounts, count);
    const message = request(accounts[0], 'POST', '/messages', {
      type: 'channel',
      to: 'channel 0',
      topic: 'bench',
      content: 'back to back',
    });
    const started = performance.now();
    const reading = listeners.map(async (listener) => {
      const ids: number[] = [];
      while (ids.length < messages)
        ids.push(...(await listener.next()).filter((event) => event.type === 'message').map((event) => event.id));
      return ids;
    });
    const sender = await Connection.open(server.port);
    for (let i = 0; i < messages; i++) await sender.send(message);
    const all = await Promise.all(reading);
    const seconds = (performance.now() - started) / 1000;
    const isRight = all.every(
      (ids) => ids.length === messages && ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
    );
    report(
      'B4',
      `100 messages to ${count} queues (bar 20,000/s), once and in order: ${isRight}`,
      `${((count * messages) / seconds).toFixed(0)} deliveries/s`,
    );
    sender.close();
    for (const listener of listeners) listener.close();
    await server.stop('SIGKILL');
    remove();
  }
}

/** B5: memory and processor time of many parked queues at rest; no heartbeat comes later than 60 s. */
export async function b5(): Promise<void> {
  const count = Number(process.env['BENCH_PARKED'] ?? 4000);
  const seconds = Number(process.env['BENCH_PARKED_SECONDS'] ?? 70);
  const { folder, accounts, remove } = await prepare({ users: 200, channels: 1, subscribers: 200 });
  const server = await startRoost(folder);
  const before = residentMib(server.pid);
  const listeners = await listenersOn(server, accounts, count);
  const beats: number[] = [];
  let isOver = false;
  const started = performance.now();
  const reading = listeners.map(async (listener) => {
    while (!isOver) {
      const parkedAt = performance.now();
      await listener.next().catch(() => []);
      if (!isOver) beats.push((performance.now() - parkedAt) / 1000);
    }
  });
  await pause(5000);
  const cpu = cpuSeconds(server.pid);
  await pause(seconds * 1000 - 5000);
  const used = (cpuSeconds(server.pid) - cpu) / ((performance.now() - started) / 1000 - 5);
  report(
    'B5',
    `${count} parked queues, memory of each (bar 25)`,
    `${(((residentMib(server.pid) - before) * 1024) / count).toFixed(1)} KiB`,
  );
  report('B5', 'processor time with heartbeats (bar 8 % for 10,000)', `${(used * 100).toFixed(1)} % of a core`);
  report('B5', `latest of ${beats.length} heartbeats (bar 60)`, `${Math.max(...beats).toFixed(1)} s`);
  isOver = true;
  for (const listener of listeners) listener.close();
  await Promise.all(reading);
  await server.stop('SIGKILL');
  remove();
}
