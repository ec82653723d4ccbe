import { describe, expect, it } from 'vitest';
import { matches, matchesInTurns, parseFilter } from './filter/index.ts';
import { changesOf } from './group-values.ts';
import { versionOf, withMeta, writeInTurns } from './resource.ts';

const members = Array.from({ length: 20_000 }, (_, n) => ({ value: String(n), display: `Number ${n}`, type: 'User' }));
const about = { base: '', resourceType: 'Group', id: 1, created: null } as const;
const large = withMeta(about, { displayName: 'All', members }, '');

/** Counts how often other work runs meanwhile. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  const state = { turns: 0, isDone: false };
  const done = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await new Promise(setImmediate);
    state.turns++;
  }
  await done;
  return state.turns;
}

const repeated = (count: number, term: string) => Array.from({ length: count }, () => term).join(' or ');

describe('a group of many members', () => {
  it.each([
    'members.value eq "19999"',
    'members.value eq "20000"',
    'members.value ne "7"',
    'members.value ne "20000"',
    'members eq null',
    'members pr',
    'not (members.display co "Number 19")',
    'members[display eq "number 12345" and value eq "12345"]',
    'members[display eq "number 12345" and value eq "12346"]',
    'displayName eq "all" and members.type eq "User"',
    'displayName eq null or members.value sw "x"',
  ])('is compared in parts with the same result: %s', async (text) => {
    const filter = parseFilter(text);
    for (const group of [large, { ...large, members: [] }, { ...large, members: members.slice(0, 10) }])
      expect(await matchesInTurns(group, filter)).toBe(matches(group, filter));
  });

  it('keeps nobody waiting while it is searched', async () => {
    const filter = parseFilter(repeated(9, 'members[display co "nobody"]'));
    expect(await turnsOf(matchesInTurns(large, filter))).toBeGreaterThan(30);
  });

  it('keeps nobody waiting while members are removed by a filter', async () => {
    const filter = parseFilter(repeated(9, 'value co "x"'));
    const path = { attribute: 'members', filter, part: undefined };
    expect(await turnsOf(changesOf(large, [{ op: 'remove', path, value: undefined }]))).toBeGreaterThan(30);
  });

  it.each(['add', 'remove'] as const)('reads its members apart from those of a step that is to %s some', async (op) => {
    const path = { attribute: 'members', filter: undefined, part: undefined };
    const work = changesOf(large, [{ op, path, value: [{ value: '7' }] }]);
    expect(await turnsOf(work)).toBeGreaterThan(1);
    const count = op === 'add' ? members.length : members.length - 1;
    expect((await work).members?.size).toBe(count);
  });

  it('is hashed apart from where it is written', async () => {
    const few = { displayName: 'All', members: members.slice(0, 10) };
    expect(await turnsOf(versionOf(few))).toBeGreaterThan(1);
  });

  it('keeps nobody waiting while it is written, alone and in a list', async () => {
    expect(JSON.parse(String(await writeInTurns(large)))).toEqual(large);
    const few = { ...large, members: [] };
    const list = { totalResults: 2, Resources: [large, few, { id: '2' }] };
    expect(JSON.parse(String(await writeInTurns(list)))).toEqual(list);
    expect(JSON.parse(String(await writeInTurns({ a: 1, Resources: [] })))).toEqual({ a: 1, Resources: [] });
    expect(await turnsOf(writeInTurns(list))).toBeGreaterThan(15);
  });
});
