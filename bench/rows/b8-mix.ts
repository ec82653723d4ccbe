import { cpus } from 'node:os';
import { type Child, cpuSeconds } from '../support/child.ts';
import { type Account, authorizationOf, request } from '../support/connection.ts';
import { Crowd, type Seen } from '../support/crowd.ts';
import { fillMessages, openPrepared } from '../support/history.ts';
import { CHANNELS_EACH, SUBSCRIBERS } from '../support/mix.ts';
import { Pool } from '../support/pool.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { databaseOf, prepare, startRoost } from '../support/roost.ts';
import { quantile, report } from '../support/statistics.ts';
import { transfer } from '../support/transfer.ts';
import { Watched } from '../support/watched.ts';

/** Most clients, clients of the first step, and clients added by each later step. */
const MOST = Number(process.env['BENCH_CLIENTS'] ?? 15_000);
const FIRST = Math.min(MOST, Number(process.env['BENCH_FIRST_CLIENTS'] ?? 7500));
const STEP = Number(process.env['BENCH_MORE_CLIENTS'] ?? 2500);
/** Seconds of a step before and during the measurement; long enough for the heartbeats of the newest clients. */
const SETTLE = Number(process.env['BENCH_SETTLE_SECONDS'] ?? 10);
const COUNT = Number(process.env['BENCH_STEP_SECONDS'] ?? 55);
/** Address of a Redis for the run on PostgreSQL, if there is to be one. */
const REDIS_URL = process.env['BENCH_REDIS_URL'];
/** Number of existing messages, and bytes of a file. */
const MESSAGES = 100_000;
const FILE_BYTES = 20_000;
const SIZE = { users: MOST, channels: Math.ceil((MOST * CHANNELS_EACH) / SUBSCRIBERS), subscribers: SUBSCRIBERS };
/** Cores for the server; the load generator uses the other half of the machine. */
const CORES = cpus().length / 2;

/** Limits of a step: milliseconds, percent of requests, and percent of the server's cores. */
const LIMITS = { mean: 100, p99: 2000, errors: 0.025, processor: 85 };

/**
 * B8: all requests of people's clients, in the shares of a real service; adds clients until a limit is passed. Runs on
 * PostgreSQL, and with Redis, where their addresses are given.
 */
export async function b8(): Promise<void> {
  const made = POSTGRES_URL === undefined ? undefined : await makePostgres(POSTGRES_URL);
  const { folder, accounts, remove } = await prepare(SIZE, made?.url);
  const store = await openPrepared(folder, made?.url);
  await fillMessages(store, accounts[0]?.id ?? 0, { ...SIZE, first: 1, last: MESSAGES });
  await store.close();
  const redis: Readonly<Record<string, string>> = REDIS_URL === undefined ? {} : { ROOST_REDIS_URL: REDIS_URL };
  const server = await startRoost(folder, { ...databaseOf(made?.url), ...redis });
  const database = made && (await Watched.open(made.url));
  const crowd = new Crowd(server.port, { channels: SIZE.channels, files: await shareFiles(server, accounts) });
  let carried = 0;
  let tooMuch: readonly string[] = [];
  for (let clients = FIRST; clients <= MOST && tooMuch.length === 0; clients += STEP) {
    await crowd.join(accounts.slice(crowd.size, clients));
    await crowd.seenIn(SETTLE);
    tooMuch = await measured(server, crowd, database);
    if (tooMuch.length === 0) carried = clients;
  }
  const end = tooMuch.length > 0 ? `then too much: ${tooMuch.join(', ')}` : 'and nothing was too much';
  report('B8', 'active clients (bar 10,000 on 2 cores)', `${carried.toLocaleString('en')}; ${end}`);
  crowd.leave();
  await server.stop('SIGKILL');
  remove();
  await database?.close();
  await made?.remove();
}

/** Measures one step and reports it; returns the limits that it has passed. */
async function measured(server: Child, crowd: Crowd, database: Watched | undefined): Promise<readonly string[]> {
  const [used, own, started] = [cpuSeconds(server.pid), cpuSeconds(process.pid), performance.now()];
  const before = await database?.read();
  const seen = await crowd.seenIn(COUNT);
  const seconds = (performance.now() - started) / 1000;
  const processor = (100 * (cpuSeconds(server.pid) - used)) / seconds / CORES;
  const after = await database?.read();
  const stored =
    after && before
      ? `PostgreSQL ${((100 * (after.seconds - before.seconds)) / seconds).toFixed(0)} % of a core, `
      : '';
  const load = (100 * (cpuSeconds(process.pid) - own)) / seconds;
  const all = seen.requests.length + seen.polls + seen.errors;
  const percent = (part: number) => (100 * part) / all;
  const [requests, deliveries] = [timesOf(seen.requests), timesOf(seen.deliveries)];
  report(
    'B8',
    `${crowd.size.toLocaleString('en')} clients, ${(all / seconds).toFixed(0)}/s, ${percent(seen.pings).toFixed(0)} % pings, ${percent(seen.polls).toFixed(0)} % polls`,
    `requests ${requests.text}; events ${deliveries.text}; errors ${percent(seen.errors).toFixed(3)} %; \
server ${processor.toFixed(0)} % of its share, ${stored}generator ${load.toFixed(0)} % of a core`,
  );
  const found = {
    mean: Math.max(requests.mean, deliveries.mean),
    p99: Math.max(requests.p99, deliveries.p99),
    errors: percent(seen.errors),
    processor,
  };
  return Object.entries(LIMITS).flatMap(([name, limit]) => (found[name as keyof typeof found] > limit ? [name] : []));
}

function timesOf(times: Seen['requests']) {
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const p99 = quantile(times, 0.99);
  return { mean, p99, text: `mean ${mean.toFixed(1)}, p99 ${p99.toFixed(0)} ms` };
}

/** Shares a file in each channel; returns their addresses. */
async function shareFiles({ port }: Child, accounts: readonly Account[]): Promise<readonly string[]> {
  const pool = new Pool(port);
  const files: string[] = [];
  for (let channel = 0; channel < SIZE.channels; channel++) {
    const sender = accounts[(channel * SUBSCRIBERS) % accounts.length];
    if (!sender) throw new Error('there is nobody to share a file');
    const headers = { 'content-type': 'multipart/form-data; boundary=file', authorization: authorizationOf(sender) };
    const around = [
      '--file\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
      '\r\n--file--\r\n',
    ] as const;
    const upload = { port, method: 'POST', path: '/api/v1/user_uploads', headers, bytes: FILE_BYTES, around };
    const { url } = JSON.parse((await transfer(upload))?.text ?? '');
    const fields = { type: 'channel', to: `channel ${channel}`, topic: 'files', content: `[a file](${url})` };
    await pool.send(request(sender, 'POST', '/messages', fields));
    files.push(url);
  }
  pool.close();
  return files;
}
