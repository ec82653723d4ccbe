import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asId } from '#kernel/ids';
import { insertWhole, liftBounds, type WholeRow } from '#kernel/store';
import { type Amount, writeArchive } from '../support/archive.ts';
import { type Taken, timeCommand } from '../support/command.ts';
import { openPrepared } from '../support/history.ts';
import { makePostgres, POSTGRES_URL } from '../support/postgres.ts';
import { prepare } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

const MESSAGES = Number(process.env['BENCH_MOVING_MESSAGES'] ?? 1_000_000);
const AMOUNT: Amount = {
  messages: MESSAGES,
  reactions: Math.floor(MESSAGES / 10),
  files: Math.floor(MESSAGES / 100),
};
const MEMORY = 'under 400 MiB';

/**
 * Import and export of an organization and migration of its database, compared with inserting rows through the driver
 * alone.
 */
export async function benchMoving(): Promise<void> {
  const archive = writeArchive(AMOUNT);
  try {
    await onDatabase(archive, 'SQLite', undefined, 5000);
    if (POSTGRES_URL === undefined)
      return console.log('BENCH_DATABASE_URL is not set: PostgreSQL and migrate left out');
    await onPostgres(POSTGRES_URL, (url) => onDatabase(archive, 'PostgreSQL', url, 3000));
    await onPostgres(POSTGRES_URL, (url) => migration(archive, url));
  } finally {
    rmSync(archive, { recursive: true });
  }
}

async function onPostgres(address: string, work: (url: string) => Promise<void>): Promise<void> {
  const made = await makePostgres(address);
  try {
    await work(made.url);
  } finally {
    await made.remove();
  }
}

async function onDatabase(archive: string, name: string, url: string | undefined, bar: number): Promise<void> {
  await inFolder(async (folder) => {
    const environment = environmentOf(folder, url);
    const arrived = await timeCommand(importOf(archive), environment);
    tell(`import on ${name} (bar ${bar.toLocaleString('en')}/s, ${MEMORY})`, MESSAGES, 'messages', arrived);
    const left = await timeCommand(['export', join(folder, 'left')], environment);
    tell(`export on ${name} (bar 20,000/s, ${MEMORY})`, MESSAGES, 'messages', left);
  });
  await floor(name);
}

const importOf = (archive: string) => ['import', archive, '--from', 'zulip', '--owner-email', 'user1@bench.test'];

function environmentOf(folder: string, url: string | undefined): Readonly<Record<string, string>> {
  return { ROOST_DATA_DIR: folder, ...(url !== undefined && { ROOST_DATABASE_URL: url }) };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tell(what: string, count: number, unit: string, { seconds, processorSeconds, mib }: Taken): void {
  const rate = `${Math.round(count / seconds).toLocaleString('en')} ${unit}/s`;
  const each = `${((processorSeconds / count) * 1e6).toFixed(0)} µs of the processor for each`;
  report('move', what, `${rate}, ${each}, ${mib.toFixed(0)} MiB resident`);
}

/** Migrates the embedded database with the imported archive to PostgreSQL. */
async function migration(archive: string, url: string): Promise<void> {
  await inFolder(async (folder) => {
    await timeCommand(importOf(archive), environmentOf(folder, undefined));
    const rows = MESSAGES + AMOUNT.reactions + 2 * AMOUNT.files;
    const moved = await timeCommand(['migrate', '--to', url], environmentOf(folder, undefined));
    tell(`migrate to PostgreSQL (bar 20,000/s, ${MEMORY})`, rows, 'rows', moved);
  });
}

/** Inserts rows of a message's size into the same table: without rendering, search index or archive. */
async function floor(name: string): Promise<void> {
  const made = name === 'SQLite' || POSTGRES_URL === undefined ? undefined : await makePostgres(POSTGRES_URL);
  const { folder, remove } = await prepare({ users: 1, channels: 0, subscribers: 0 }, made?.url);
  const store = await openPrepared(folder, made?.url);
  try {
    const began = performance.now();
    const before = process.cpuUsage();
    for (let first = 1; first <= MESSAGES; first += STEP)
      await store.write(async (tx) => {
        await liftBounds(tx);
        const count = Math.min(STEP, MESSAGES - first + 1);
        await insertWhole(
          tx,
          'message',
          Array.from({ length: count }, (_one, index) => rowOf(first + index)),
        );
      });
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    const mib = process.memoryUsage.rss() / 2 ** 20;
    tell(`floor on ${name}: rows through the driver`, MESSAGES, 'rows', {
      seconds,
      processorSeconds: (user + system) / 1e6,
      mib,
    });
  } finally {
    await store.close();
    remove();
    await made?.remove();
  }
}

/** Rows per transaction of the floor, as of the import. */
const STEP = 1000;

function rowOf(id: number): WholeRow<'message'> {
  const content = `w${id % 4999} w${(id * 17) % 3001} **bold w${(id * 13) % 997}** with a [link](https://example.org/${id})`;
  return {
    id: asId(id),
    realm_id: asId(1),
    sender_id: asId(1),
    recipient_id: asId(1),
    channel_id: asId(1),
    topic: `topic ${id % 200}`,
    topic_key: `topic ${id % 200}`,
    content,
    rendered_content: `<p>${content}</p>`,
    sent_at: 1_700_000_000 + id,
    client: 'import',
    is_me_message: false,
    has_attachment: false,
    has_image: false,
    has_link: true,
    mentions_channel: false,
    mentions_groups: false,
    topic_links: [],
    edit_history: null,
    last_edit_at: null,
    last_moved_at: null,
    delivery_id: null,
  };
}
