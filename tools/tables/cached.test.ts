import { expect, it } from 'vitest';
import { inFolder } from '../support/planting.ts';
import { findTableViolations } from './tables.ts';

const others = {
  'src/features/places/index.ts': `export const places = slice({ reads: [] });`,
  'src/features/places/tables.ts': `export const place = table('place', { id: col.id() });`,
  'src/features/places/queries.ts': `export const findPlace = (tx) => tx.db.selectFrom('place').selectAll();`,
  'src/features/notes/index.ts': `export const notes = slice({ reads: ['place'] });`,
  'src/features/notes/tables.ts': `
    export const note = table('note', { id: col.id() });
    export const mark = table('mark', { id: col.id() });`,
};

/** What is found where the queries of a slice are these. */
function faultsOf(queries: string): Promise<string[]> {
  const all = `${queries}; const more = (tx) => tx.db.selectFrom('mark').innerJoin('place', 'a', 'b');`;
  return inFolder({ ...others, 'src/features/notes/queries.ts': all }, findTableViolations);
}

it.each([
  `const notes = cachedQuery(['note'], compiled((db) => db.selectFrom('note as n').selectAll()))`,
  `const notes = cachedQuery(['note', 'mark'], compiled((db) => db.selectFrom('note').innerJoin('mark', 'a', 'b')))`,
  `const one = (tx) => tx.db.selectFrom('note'); const notes = cachedQuery(['note:changed'], (tx) => one(tx))`,
  'const notes = cachedQuery(["mark"], compiled((db) => sql`select 1 from mark`))',
  `import { findPlace } from '#features/places'; const at = cachedQuery(['place'], (tx) => findPlace(tx))`,
  `const at = cachedQuery(['note'], ({ dialect }) => dialect.joinedByIndex(marks, { table: 'note', as: 'n' }))`,
])('is content with %s', async (queries) => {
  expect(await faultsOf(queries)).toEqual([]);
});

it.each([
  [
    `cachedQuery(['note'], (db) => db.selectFrom('note').innerJoin('mark', 'a', 'b'))`,
    'reads mark, which it does not name',
  ],
  [
    `const one = (tx) => tx.db.selectFrom('mark'); cachedQuery(['note'], (tx) => tx.db.selectFrom('note', one(tx)))`,
    'reads mark, which it does not name',
  ],
  [
    `cachedQuery(['note'], ({ dialect }) => dialect.joinedByIndex(marks, { table: 'mark', as: 'm' }))`,
    'reads mark, which it does not name',
  ],
  ['cachedQuery(["note"], () => sql`select 1 from note join mark on true`)', 'reads mark, which it does not name'],
  [
    `import { findPlace } from '#features/places'; cachedQuery(['note'], (tx) => findPlace(tx.db.selectFrom('note')))`,
    'reads place, which it does not name',
  ],
  [`cachedQuery(['note', 'mark'], (tx) => tx.db.selectFrom('note'))`, 'names mark, which it does not read'],
  [`cachedQuery(tables, (tx) => tx.db.selectFrom('note'))`, 'the tables of a cached query are to be written out'],
])('finds %s', async (queries, fault) => {
  expect(await faultsOf(queries)).toContain(`src/features/notes/queries.ts:1: ${fault}`);
});
