import { sql } from '#kernel/store';
import { fillMessages, openPrepared } from '../support/history.ts';
import { prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';
import { Traffic } from '../support/traffic.ts';

const QUEUES = 1000;
const MESSAGES_PER_SECOND = 20;
/** Number of existing messages, on which a migration of messages works. */
const MESSAGES = 100_000;
const SIZE = { users: QUEUES, channels: 1, subscribers: QUEUES };
/** Milliseconds of traffic before and after the restart. */
const STEADY_MS = 5000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** B11: a restart into a release with a migration to apply, while clients poll and send. */
export async function b11(): Promise<void> {
  const { folder, accounts, remove } = await prepare(SIZE);
  const store = await openPrepared(folder);
  await fillMessages(store, accounts[0]?.id ?? 0, { ...SIZE, first: 1, last: MESSAGES });
  await store.close();
  const old = await startRoost(folder);
  await undoMigration(folder);
  const traffic = new Traffic(old.port, accounts, { queues: QUEUES, messagesPerSecond: MESSAGES_PER_SECOND });
  await traffic.begin();
  await pause(STEADY_MS);
  traffic.longestSilence = 0;
  const asked = performance.now();
  await old.stop();
  const endedMs = performance.now() - asked;
  const server = await startRoost(folder, {}, old.port);
  const allMs = await traffic.heardByAllAfter(performance.now());
  await pause(STEADY_MS);
  const outcome = await traffic.end();
  const parts = `${endedMs.toFixed(0)} to end, ${server.readyMs.toFixed(0)} to start, ${allMs.toFixed(0)} until the last queue heard`;
  report(
    'B11',
    'upgrade with a migration: longest without an answer (bar 1,000)',
    `${traffic.longestSilence.toFixed(0)} ms; ${parts}`,
  );
  report('B11', `${QUEUES} queues, ${MESSAGES_PER_SECOND} messages a second (bar 0, 0, 0)`, outcome);
  await server.stop('SIGKILL');
  remove();
}

/**
 * Reverts the migration that indexes messages with their topics while the server runs: the server works as the previous
 * release did, and the next start has that migration to apply.
 */
async function undoMigration(folder: string): Promise<void> {
  const store = await openPrepared(folder);
  await store.write(async (tx) => {
    await sql`create index message_recipient_id_id on message (recipient_id, id)`.execute(tx.db);
    await sql`drop index message_recipient_id_id_topic`.execute(tx.db);
    await sql`delete from schema_migration where name = '2026-11-21T1535-topics-of-conversations'`.execute(tx.db);
  });
  await store.close();
}
