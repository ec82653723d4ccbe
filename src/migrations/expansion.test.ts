import { describe, expect, it } from 'vitest';
import { defineMigration, type Migrator } from '#kernel/store';
import { contractions, LAST_RELEASED } from './expansion.ts';
import { migrations } from './index.ts';

const int = { type: 'int' } as const;
const faults = (up: (m: Migrator) => Promise<void>) => contractions(defineMigration('x', up));

describe('migrations since the last release', () => {
  it('only expand, so that processes of both releases serve one database, unless they declare a contraction', async () => {
    expect(migrations.some(({ name }) => name === LAST_RELEASED)).toBe(true);
    const newer = migrations.filter(({ name }) => name > LAST_RELEASED);
    expect(newer.length).toBeGreaterThan(0);
    for (const migration of newer)
      expect([migration.name, await contractions(migration)]).toEqual([migration.name, []]);
  });

  it.each([
    ['a column that is dropped', (m: Migrator) => m.run('alter table message drop column content')],
    ['a table that is dropped', (m: Migrator) => m.byDialect({ sqlite: ['DROP TABLE draft'], postgres: [] })],
    ['a column that is renamed', (m: Migrator) => m.run('alter table message rename column content to text')],
    ['a table that is renamed', (m: Migrator) => m.run('alter table draft rename to drafts')],
    ['a column without a default', (m: Migrator) => m.addColumn('draft', 'size', int)],
    ['the same as a statement', (m: Migrator) => m.run('alter table draft add column size integer not null')],
    ['a column that must be there now', (m: Migrator) => m.run('alter table draft alter column topic set not null')],
    ['another type', (m: Migrator) => m.run('alter table draft alter column topic type integer')],
    ['a new demand', (m: Migrator) => m.run('alter table draft add constraint one check (id > 1)')],
    ['an index that forbids', (m: Migrator) => m.createIndex('draft', ['topic'], true)],
    ['the same as a statement', (m: Migrator) => m.run('create unique index a on draft (topic)')],
  ])('are refused with %s', async (_what, up) => {
    expect(await faults(up)).toHaveLength(1);
    expect(await contractions({ name: 'x', up, contracts: 'nothing reads it since the release before' })).toEqual([]);
  });

  it('may make tables, indexes, and columns that have a default or may be empty', async () => {
    const up = async (m: Migrator) => {
      await m.createTable('nest', { id: int }, { primaryKey: ['id'] });
      await m.addColumn('nest', 'eggs', int);
      await m.createIndex('nest', ['eggs'], true);
      await m.addColumn('draft', 'size', { ...int, default: 0 });
      await m.addColumn('draft', 'note', { type: 'text', nullable: true });
      await m.createIndex('draft', ['size']);
      await m.run('alter table draft add column more integer not null default 0');
      await m.run('update draft set size = 1');
    };
    expect(await faults(up)).toEqual([]);
  });
});
