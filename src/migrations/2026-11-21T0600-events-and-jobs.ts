import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const intOrNull = { type: 'int', nullable: true } as const;

/** The event log with its queues, jobs, and browser sessions. */
export const eventsAndJobs = defineMigration('2026-11-21T0600-events-and-jobs', async (m) => {
  await m.createTable('realm_log', { realm_id: int, head: int }, { primaryKey: ['realm_id'] });
  await m.createTable(
    'event',
    { realm_id: int, id: int, last_id: int, kind: text, payload: text, details: text, created_at: int },
    { primaryKey: ['realm_id', 'id'], indexes: [['realm_id', 'last_id']] },
  );
  await m.createTable(
    'event_queue',
    {
      queue_id: text,
      realm_id: int,
      user_id: int,
      descriptor: text,
      acked_id: int,
      last_seen_at: int,
      idle_seconds: int,
      created_at: int,
    },
    { primaryKey: ['queue_id'], indexes: [['realm_id', 'acked_id'], ['user_id']] },
  );
  await m.createTable(
    'job',
    {
      id: { type: 'id' },
      realm_id: int,
      kind: text,
      job_key: { type: 'text', nullable: true },
      payload: text,
      run_at: int,
      leased_until: int,
      attempts: int,
      failed_at: intOrNull,
    },
    { unique: [['realm_id', 'kind', 'job_key']], indexes: [['failed_at', 'run_at']] },
  );
  await m.createTable(
    'session',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      token_hash: text,
      client: text,
      created_at: int,
      last_seen_at: int,
    },
    { unique: [['token_hash']], indexes: [['user_id']] },
  );
});
