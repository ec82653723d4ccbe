import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plant } from '../support/planting.ts';
import { findDoorViolations, unread } from './doors.ts';
import { sliceOrder } from './slices.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

// A small tree that keeps all doors.
const lawful: Record<string, string> = {
  'src/kernel/text/index.ts': `export const fold = (text: string): string => text;`,
  'src/kernel/ids/index.ts': `export type Id = number; export const asId = (id: number): Id => id;`,
  'src/kernel/clock/index.ts': `export { now } from './now.ts';`,
  'src/kernel/clock/now.ts': `export const now = (): number => Date.now();`,
  'src/kernel/schema/index.ts': `import { z } from 'zod'; export const text = z.string;`,
  'src/kernel/store/index.ts': `import { sql } from 'kysely'; import { fold } from '#kernel/text'; export const store = { sql, fold };`,
  'src/kernel/store/store.test.ts': `import { it } from 'vitest'; import { folders } from '#features/folders'; it(String(folders));`,
  'src/kernel/store/dialects/driver.ts': `import type pg from 'pg'; export const driver = async (): Promise<typeof pg> => (await import('pg')).default;`,
  'src/features.ts': `import { folders } from '#features/folders'; import { channels } from '#features/channels'; export const features = [channels, folders];`,
  'src/features/channels/index.ts': `export const channels = 1; export { list } from './queries.ts';`,
  'src/features/channels/queries.ts': `import { store } from '#kernel/store'; export const list = store;`,
  'src/features/channels/wire.ts': `import { text } from '#kernel/schema'; import type { Row } from './tables.ts'; export const shape = (row: Row) => [text, row];`,
  'src/features/channels/tables.ts': `export type Row = number;`,
  'src/features/channels/rules.ts': `import { fold } from '#kernel/text'; import { shape } from './wire.ts'; export const may = [fold, shape];`,
  'src/features/folders/index.ts': `import { channels } from '#features/channels'; import { rows } from './rows/queries.ts'; export const folders = [channels, rows];`,
  'src/features/folders/rows/queries.ts': `export const rows = 1;`,
  'src/features/folders/wire.ts': `import { shape } from '../channels/wire.ts'; export const folder = shape;`,
  'src/features/folders/shelves/index.ts': `export { shelf } from './shelf.ts';`,
  'src/features/folders/shelves/shelf.ts': `export const shelf = 1;`,
  'src/features/folders/shelves/rules.ts': `export const mayShelve = true;`,
  'src/features/folders/boxes/box.ts': `import { shelf } from '../shelves/index.ts'; import { mayShelve } from '../shelves/rules.ts'; export const box = [shelf, mayShelve];`,
  'src/migrations/2026-11-21T0930-folders.ts': `import { store } from '#kernel/store'; export const up = store;`,
  'src/server.ts': `import { features } from './features.ts'; export const start = features;`,
  'src/commands/serve.ts': `import { start } from '../server.ts'; export const serve = start;`,
  'src/main.ts': `import { serve } from './commands/serve.ts'; serve.at(0);`,
};

// Each file breaks one rule, named beside it.
const planted: Record<string, readonly [text: string, rule: string]> = {
  'src/kernel/text/later.ts': [`import { now } from '#kernel/clock'; export const x = now;`, 'kernel-order'],
  'src/kernel/schema/inside.ts': [`import { now } from '../clock/now.ts'; export const x = now;`, 'kernel-door'],
  'src/features/channels/inside.ts': [
    `import { now } from '../../kernel/clock/now.ts'; export const x = now;`,
    'kernel-door',
  ],
  'src/features/channels/later.ts': [
    `import type { folders } from '#features/folders'; export type X = typeof folders;`,
    'features-order',
  ],
  'src/features/folders/inside.ts': [
    `import { list } from '../channels/queries.ts'; export const x = list;`,
    'slice-door',
  ],
  'src/features/folders/past-the-door.ts': [
    `import { shelf } from './shelves/shelf.ts'; export const x = shelf;`,
    'inner-door',
  ],
  'src/features/folders/boxes/past-the-door.ts': [
    `import type { shelf } from '../shelves/shelf.ts'; export type X = typeof shelf;`,
    'inner-door',
  ],
  'test/inside.ts': [
    `import { list } from '../src/features/channels/queries.ts'; export const x = list;`,
    'slice-door',
  ],
  'src/kernel/store/up.ts': [
    `import { channels } from '#features/channels'; export const x = channels;`,
    'kernel-knows-no-feature',
  ],
  'src/features/channels/top.ts': [
    `import { start } from '../../server.ts'; export const x = start;`,
    'slice-knows-no-top no-server',
  ],
  'src/commands/again.ts': [`import '../main.ts';`, 'no-main'],
  'src/migrations/2026-11-22T0930-thaw.ts': [
    `import { channels } from '#features/channels'; export const up = channels;`,
    'migrations-are-frozen',
  ],
  'src/features/folders/helper.ts': [
    `import { x } from '../../../test/support.ts'; export const y = x;`,
    'slice-knows-no-top no-test-support',
  ],
  'web/src/reads.ts': [
    `import { shape } from '../../src/features/channels/wire.ts'; export const x = shape;`,
    'web-sees-shapes-only',
  ],
  'src/features/folders/inner/wire.ts': [
    `import { now } from '#kernel/clock'; export const x = now;`,
    'wire-is-shapes',
  ],
  'src/features/folders/rules.ts': [`import { store } from '#kernel/store'; export const x = store;`, 'rules-are-pure'],
  'src/features/folders/apply.ts': [
    `import { readFileSync } from 'fs'; export const x = readFileSync;`,
    'named-rooms:node:fs rules-are-pure',
  ],
  'src/features/folders/queries.ts': [`import { x } from './actions.ts'; export const y = x;`, 'queries-are-sql'],
  'src/features/channels/sql.ts': [`import { sql } from 'kysely'; export const x = sql;`, 'named-rooms:kysely'],
  'src/features/channels/types.ts': [`import type { ZodType } from 'zod'; export type X = ZodType;`, 'named-rooms:zod'],
  'src/features/channels/http.ts': [`import fastify from 'fastify'; export const x = fastify;`, 'named-rooms:fastify'],
  'src/features/channels/plug.ts': [
    `import multipart from '@fastify/multipart'; export const x = multipart;`,
    'named-rooms:fastify',
  ],
  'src/kernel/schema/driver.ts': [`import pg from 'pg'; export const x = pg;`, 'late-package named-rooms:pg'],
  'src/features/folders/hash.ts': [`import { hash } from '@node-rs/argon2'; export const x = hash;`, 'late-package'],
  'src/features/channels/files.ts': [
    `import { readFile } from 'node:fs/promises'; export const x = readFile;`,
    'named-rooms:node:fs',
  ],
  'src/features/channels/dynamic.ts': [`export const x = await import('node:http');`, 'named-rooms:node:http'],
  'src/features/channels/env.ts': [
    `import { env } from 'node:process'; export const x = env;`,
    'named-rooms:node:process',
  ],
  'src/features/channels/dev.ts': [`import fc from 'fast-check'; export const x = fc;`, 'no-development-package'],
  'src/features/channels/lost.ts': [`import { x } from './nowhere.ts'; export const y = x;`, 'resolves'],
  'src/kernel/clock/about.ts': [`import { x } from './round.ts'; export const y = (): unknown => x;`, 'no-circle'],
};
const helpers: Record<string, string> = {
  'src/kernel/clock/round.ts': `import { y } from './about.ts'; export const x = y;`,
  'src/features/folders/actions.ts': `import { pino } from 'pino'; export const x = pino;`,
  'src/kernel/clock/log.ts': `import { pino } from 'pino'; export const x = pino;`,
  'src/kernel/attic/index.ts': `export const x = 1;`,
  'src/features/attic/index.ts': `export const x = 1;`,
  'test/support.ts': `export const x = 1;`,
};

function fresh(): string {
  const root = mkdtempSync(join(tmpdir(), 'roost-doors-'));
  writeFileSync(join(root, 'package.json'), readFileSync(join(repository, 'package.json')));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  plant(root, lawful);
  return root;
}

describe('the doors check', () => {
  let root: string;
  beforeAll(() => (root = fresh()));
  afterAll(() => rmSync(root, { recursive: true }));

  it('is content with a tree that keeps all doors, and with an empty one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'roost-doors-'));
    expect(await findDoorViolations(root)).toEqual([]);
    expect(await findDoorViolations(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  it('finds each planted violation, and nothing else', async () => {
    plant(root, Object.fromEntries(Object.entries(planted).map(([path, [text]]) => [path, text])));
    plant(root, helpers);
    const violations = await findDoorViolations(root);
    const found = violations.flatMap((line) => /^(.+?) -> .* \(([^ ]+)\)$/.exec(line)?.slice(1).join(' ') ?? []);
    const expected = Object.entries(planted).flatMap(([path, [, rules]]) =>
      rules.split(' ').map((rule) => `${path} ${rule}`),
    );
    expect(found.sort()).toEqual(expected.sort());
    expect(violations.filter((line) => !line.includes(' -> ')).sort()).toEqual([
      'package pino: imported by features/folders, kernel/clock; it belongs behind one room',
      'src/features/attic: is not in the list of src/features.ts',
      'src/kernel/attic: is not in the list of tools/doors/rooms.ts',
    ]);
  });

  it('fails when a source file was not read', () => {
    expect(unread(root, [])).toContain('src/main.ts: was not read by dependency-cruiser');
  });
});

describe('the order of the slices', () => {
  it('is that of the list, not of the imports', () => {
    const text = `import { b } from '#features/b'; import { a, helper } from './features/a/index.ts'; export const features: readonly Slice[] = [a, b];`;
    expect(sliceOrder(text)).toEqual(['a', 'b']);
  });
});
