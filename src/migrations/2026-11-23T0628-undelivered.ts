import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** What did not reach people, by road and reason; and of phones what browsers have already. */
export const undeliveredMigration = defineMigration('2026-11-23T0628-undelivered', async (m) => {
  await m.createTable(
    'undelivered',
    { realm_id: int, day: int, road: { type: 'text' }, reason: { type: 'text' }, count: int, last_at: int },
    { primaryKey: ['realm_id', 'day', 'road', 'reason'] },
  );
  for (const table of ['push_device', 'push_token']) {
    await m.addColumn(table, 'delivered_at', intOrNull);
    await m.addColumn(table, 'failing_since', intOrNull);
    await m.addColumn(table, 'failure', textOrNull);
  }
});
