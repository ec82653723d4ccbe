import { expect, it, vi } from 'vitest';
import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { assertWritten } from './sqlite-program.ts';
import { CHANGED } from './table-versions.ts';

const INSERT = 'insert into test_program (id) values (1)';
const UPDATE = 'update test_program set id = 2';

function opened(): SqliteDatabase {
  const database = new (loadSqlite().DatabaseSync)(':memory:');
  database.exec('create table test_program (id integer primary key)');
  return database;
}

it('reads the program of a statement once, whichever connection runs it', () => {
  const databases = [opened(), opened()];
  const prepared = databases.map((database) => {
    const prepare = vi.spyOn(database, 'prepare');
    for (const _ of [1, 2]) assertWritten(database, INSERT, ['test_program']);
    return prepare.mock.calls.filter(([text]) => text === `explain ${INSERT}`).length;
  });
  for (const database of databases) database.close();
  expect(prepared).toEqual([1, 0]);
});

it('refuses a statement each time that writes more than its text shows', () => {
  const database = opened();
  const missing = `a statement writes test_program${CHANGED}, which its text does not show`;
  for (const _ of [1, 2]) expect(() => assertWritten(database, UPDATE, ['test_program'])).toThrow(missing);
  database.close();
});
