import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSqlite } from '../../src/kernel/store/dialects/sqlite-driver.ts';
import { tablesWritten } from '../../src/kernel/store/dialects/table-versions.ts';
import { sql } from '#kernel/store';
import { afternoon } from '../support/session.ts';
import { openWorld, type World } from '../support/world.ts';

const prototype = Reflect.get(loadSqlite().DatabaseSync, 'prototype') as {
  prepare: (this: unknown, text: string) => unknown;
};
const own = prototype.prepare;
const prepared = new Set<string>();

let world: World;
beforeAll(async () => {
  prototype.prepare = function (text) {
    prepared.add(text);
    return own.call(this, text);
  };
  world = await openWorld('sqlite');
  await afternoon(world);
});
afterAll(async () => {
  prototype.prepare = own;
  await world.close();
});

/** What stands in a statement's program: opcode, its second and third operand. */
interface Step {
  readonly opcode: string;
  readonly p2: number;
  readonly p3: number;
}

it('the tables that a statement is read to write are those that the embedded database writes (decision 0011)', async () => {
  const { read, wrong, count } = await world.server.context.store.query(async (tx) => {
    const { rows: roots } = await sql<{ rootpage: number; tbl_name: string }>`
      select rootpage, tbl_name from sqlite_schema where rootpage > 0`.execute(tx.db);
    const tableAt = new Map(roots.map(({ rootpage, tbl_name }) => [rootpage, tbl_name.toLowerCase()]));
    const wrong: unknown[] = [];
    let [read, count] = [0, 0];
    for (const text of [...prepared].filter((one) => /^\s*(?:insert|update|delete|replace|with|select)\b/i.test(one))) {
      const program = await tx.execute<Step>({ sql: `explain ${text}`, parameters: [] });
      const opened = program.rows.filter(({ opcode, p3 }) => opcode === 'OpenWrite' && p3 === 0);
      const tables = new Set(opened.flatMap(({ p2 }) => tableAt.get(p2) ?? []));
      const said = tablesWritten(text);
      if (said.length === 0) read++;
      else count++;
      if (said !== 'all' && [...tables].some((table) => !said.includes(table))) wrong.push({ text, tables, said });
    }
    return { read, wrong, count };
  });
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(100);
  expect(count).toBeGreaterThan(60);
});
