import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features } from '../../src/features.ts';
import { endpoints } from '../../src/server.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { apiPage, missingOperations } from './api-page.ts';
import { migrationsIndex } from './migrations.ts';
import { GONE } from './operations.ts';

const pages = features.flatMap((feature) => feature.pages);

/** Operations of the protocol that are still to come; nothing else may be missing. */
const AWAITED = [/^\w+ \/export\//, /^POST \/realm\/test_welcome_bot_custom_message /];

describe('the operations', () => {
  it('of the protocol are all declared', () => {
    const missing = missingOperations(endpoints, pages);
    expect(missing.filter((operation) => !AWAITED.some((awaited) => awaited.test(operation)))).toEqual([]);
  });

  it('are documented as they are declared: otherwise run `npm run docs`', () => {
    const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
    expect(page).toBe(apiPage(endpoints, pages));
  });

  it('have names of their own', () => {
    const ids = endpoints.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

it('the list of migrations is of all files: otherwise run `npm run docs`', () => {
  const folder = fileURLToPath(new URL('../../src/migrations/', import.meta.url));
  expect(readFileSync(join(folder, 'index.ts'), 'utf8')).toBe(migrationsIndex(folder));
});

describe('operations that are gone', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('sqlite');
  });
  afterAll(() => world.close());

  it.each(GONE)('answer $status to $method $path (protocol/clients#operations)', async ({ method, path, status }) => {
    const reply = await world.max.request(method, path.replace('{}', '1'));
    expect(reply).toMatchObject({ status, body: { result: 'error', code: 'BAD_REQUEST' } });
  });
});
