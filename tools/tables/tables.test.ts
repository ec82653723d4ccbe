import { describe, expect, it } from 'vitest';
import { inFolder } from '../support/planting.ts';
import { findTableViolations } from './tables.ts';

const lawful = {
  'src/kernel/events/tables.ts': `export const event = table('event', {});`,
  'src/kernel/events/log.ts': `export const add = (tx) => tx.db.insertInto('event').values({});`,
  'src/kernel/store/runner.ts': `export const all = (db, name) => db.selectFrom(name);`,
  'src/features/channels/index.ts': `export const channels = slice({ reads: ['event'] });`,
  'src/features/channels/tables.ts': `export const channel = table('channel', { id: col.id() });`,
  'src/features/channels/queries.ts': `
    export const read = (tx) => tx.db.selectFrom('channel as c').innerJoin('event', 'a', 'b');
    export const write = (tx) => tx.db.updateTable('channel').set({ names: Array.from('channels') });
    export const raw = (tx) => sql\`update channel set a = 1 from event where a is distinct from b for update\`;
    export const tree = (tx) => tx.db.withRecursive('tree(id)', (db) => db.selectFrom('channel')).selectFrom('tree');`,
  'src/features/folders/index.ts': `export const folders = slice({ reads: [] });`,
  'src/features/folders/folders.test.ts': `tx.db.deleteFrom('channel');`,
};

/** The violations of the lawful tree with one file planted. */
function violations(path: string, text: string): Promise<string[]> {
  return inFolder({ ...lawful, [path]: text }, findTableViolations);
}

describe('the tables check', () => {
  it('is content with a tree that keeps the rules, and with an empty one', async () => {
    expect(await inFolder(lawful, findTableViolations)).toEqual([]);
    expect(await inFolder({}, findTableViolations)).toEqual([]);
  });

  it.each([
    [`tx.db.insertInto('channel')`, 'table channel is written, but it belongs to features/channels'],
    [`tx.db.updateTable('channel as c')`, 'table channel is written, but it belongs to features/channels'],
    [`tx.db.deleteFrom(\n'channel')`, 'table channel is written, but it belongs to features/channels'],
    ['sql`insert or ignore into channel values (1)`', 'table channel is written, but it belongs to features/channels'],
    ['sql<Row>`UPDATE "channel" set a = ${1}`', 'table channel is written, but it belongs to features/channels'],
    [`tx.db.selectFrom('channel')`, 'table channel of features/channels is read, but not named under reads'],
    [`tx.db.selectFrom(['channel as c'])`, 'table channel of features/channels is read, but not named under reads'],
    [`q.leftJoin('event as e', 'a', 'b')`, 'table event of kernel/events is read, but not named under reads'],
    ['sql`select 1 from channel`', 'table channel of features/channels is read, but not named under reads'],
    [`q.from('channel')`, 'table channel of features/channels is read, but not named under reads'],
    [`tx.db.selectFrom('attic')`, 'table attic is declared nowhere'],
    [`tx.db.selectFrom(name)`, 'the name of a table is to be written out'],
  ])('finds %s in another slice', async (text, fault) => {
    expect(await violations('src/features/folders/queries.ts', text)).toEqual([
      `src/features/folders/queries.ts:1: ${fault}`,
    ]);
  });

  it('finds SQL outside queries.ts', async () => {
    expect(await violations('src/features/channels/actions.ts', `tx.db.selectFrom('channel')`)).toEqual([
      'src/features/channels/actions.ts:1: table channel is used outside queries.ts',
    ]);
  });

  it('finds a room of the kernel that touches what is not its own', async () => {
    expect(await violations('src/kernel/jobs/a.ts', `tx.db.selectFrom('event'); tx.db.deleteFrom('event')`)).toEqual([
      'src/kernel/jobs/a.ts:1: table event is written, but it belongs to kernel/events',
    ]);
    expect(await violations('src/kernel/jobs/a.ts', `tx.db.selectFrom('channel')`)).toEqual([
      'src/kernel/jobs/a.ts:1: the kernel reads table channel of features/channels',
    ]);
  });

  it('finds a table that is declared twice', async () => {
    expect(await violations('src/features/folders/tables.ts', `export const x = table('channel', {});`)).toContain(
      'src/features/folders/tables.ts: table channel is declared twice',
    );
  });

  it('finds a manifest that names too much', async () => {
    expect(await violations('src/features/folders/index.ts', `slice({ reads: ['channel', 'attic'] })`)).toEqual([
      'src/features/folders/index.ts: names channel under reads without reading it',
      'src/features/folders/index.ts: reads attic, which is no table',
    ]);
  });

  describe('of statements on rows of organizations', () => {
    const tables = `export const note = table('note', { id: col.id(), realm_id: col.ref() });`;
    const planted = (text: string, serverWide?: Readonly<Record<string, string>>) =>
      inFolder({ ...lawful, 'src/features/notes/tables.ts': tables, 'src/features/notes/queries.ts': text }, (root) =>
        findTableViolations(root, serverWide),
      );
    const fault = (name: string) => [`src/features/notes/queries.ts:1: ${name} touches note of every organization`];

    it.each([
      `const f = (tx, realmId) => tx.db.selectFrom('note as n').selectAll().where('n.realm_id', '=', realmId);`,
      `const f = (tx, realmId) => tx.db.updateTable('note').set({}).where((eb) => eb('realm_id', '=', realmId));`,
      'const f = (tx, realmId) => sql`delete from note where realm_id = ${realmId}`;',
      'const f = (db, id) => { const own = sql`note.realm_id = ${id}`; return sql`select 1 from note where ${own}`; };',
      `const ofRealm = (id) => sql\`realm_id = \${id}\`; const f = (db) => db.selectFrom('note').where(ofRealm(1));`,
      `const f = (db, row) => db.insertInto('note').values(row);`,
    ])('is content with %s', async (text) => {
      expect(await planted(text)).toEqual([]);
    });

    it.each([
      `const f = (tx, id) => tx.db.selectFrom('note as n').selectAll().where('n.id', '=', id);`,
      `const f = (tx, id) => tx.db.selectFrom('note').select('realm_id').orderBy('realm_id').where('id', '=', id);`,
      `const f = (tx, id) => tx.db.updateTable('note').set({}).where('id', '=', id);`,
      `const f = (tx, id) => tx.db.deleteFrom('note').where('id', '=', id);`,
      'const f = (tx, id) => sql`select realm_id from note where id = ${id}`;',
      'const f = (tx, id) => sql`update note set id = 1 where id = ${id}`;',
      `const some = (id) => sql\`id = \${id}\`; const f = (db) => db.selectFrom('note').where(some(1));`,
    ])('finds %s', async (text) => {
      expect(await planted(text)).toEqual(fault('f'));
    });

    it('lets pass what is listed, by its name or by its table, and finds what is listed for nothing', async () => {
      const text = `export function sweep(tx) { return tx.db.selectFrom('note').selectAll(); }`;
      expect(await planted(text, { 'features/notes sweep': 'why' })).toEqual([]);
      expect(await planted(text, { 'features/notes note': 'why' })).toEqual([]);
      expect(await planted(text, { 'features/folders note': 'why' })).toEqual([
        ...fault('sweep'),
        'tools/tables/server-wide.ts: features/folders note names its organization',
      ]);
    });
  });
});
