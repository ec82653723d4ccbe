import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { citedText } from '../support/protocol.ts';
import { openWorld, type World } from '../support/world.ts';

/** What a table's column 'at first' may say in one word; other cells are for people. */
const LITERAL = /^(?:true|false|null|empty|-?\d+|`\w+`|`\[\]`)$/;

function valueOf(cell: string): unknown {
  if (cell === 'empty') return '';
  if (cell === '`[]`') return [];
  return cell.startsWith('`') ? cell.slice(1, -1) : JSON.parse(cell);
}

/** The names of a table with their values at first: one for all names of a row, or one for each, with commas. */
function documented(source: string): ReadonlyMap<string, unknown> {
  const rows = [...citedText(source).matchAll(/^\| (`[^|]*) \| [^|]* \| ([^|]*) \|/gm)].flatMap(([, names, cell]) => {
    const all = [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
    const values = (cell ?? '').split(', ');
    return all.map((name, index) => [name, (values.length === all.length ? values[index] : cell) ?? ''] as const);
  });
  return new Map(rows.filter(([, cell]) => LITERAL.test(cell)).map(([name, cell]) => [name, valueOf(cell)]));
}

describe.each(databases)('what is so at first, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('is as the protocol says for personal settings (protocol/settings#settings)', async () => {
    const expected = documented('protocol/settings#settings');
    expect(expected.size).toBeGreaterThan(50);
    const { user_settings } = (await world.max.register({ fetch_event_types: ['user_settings'] })).state;
    const found = [...expected.keys()].map((name) => [name, user_settings[name]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it('is as the protocol says for organizations (protocol/organizations#fields)', async () => {
    const expected = documented('protocol/organizations#fields');
    expect(expected.size).toBeGreaterThan(50);
    const { state } = await world.max.register({ fetch_event_types: ['realm'] });
    const found = [...expected.keys()].map((name) => [name, state[`realm_${name}`]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });
});
