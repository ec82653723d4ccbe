import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../test/support/web.ts';
import { Edits } from './edits.ts';

const DAY_MS = 86_400_000;

describe('changed texts of messages', () => {
  it('are there at the next visit of the same account, until they are saved or as they were', () => {
    const storage = memoryStorage();
    const open = (account = '1-2') =>
      new Edits(
        account,
        () => 1,
        () => storage,
      );
    const edits = open();
    edits.set(7, 'a nest', 'a bigger nest');
    edits.set(8, 'an owl', 'an old owl');
    edits.set(9, 'an oak', 'an old oak');
    edits.forget(8);
    edits.set(9, 'an oak', 'an oak');
    const later = open();
    expect(later.find(7)).toMatchObject({ was: 'a nest', text: 'a bigger nest' });
    expect([7, 8, 9].map((id) => later.has(id))).toEqual([true, false, false]);
    expect(open('1-3').has(7)).toBe(false);
  });

  it('are those of other tabs as well', () => {
    const storage = memoryStorage();
    const [here, there] = [1, 2].map(
      () =>
        new Edits(
          '1-2',
          () => 1,
          () => storage,
        ),
    );
    here?.set(7, 'a nest', 'a bigger nest');
    there?.changed('roost-edit-1-2-7');
    expect(there?.find(7)?.text).toBe('a bigger nest');
    here?.forget(7);
    there?.changed('roost-edit-1-2-7');
    expect(there?.has(7)).toBe(false);
  });

  it('go after a month, and with storage that holds something else', () => {
    const storage = memoryStorage();
    const at = (day: number) =>
      new Edits(
        '1-2',
        () => day * DAY_MS,
        () => storage,
      );
    at(1).set(7, 'a nest', 'a bigger nest');
    expect(at(30).has(7)).toBe(true);
    expect(at(32).has(7)).toBe(false);
    expect(storage.length).toBe(0);
    for (const text of ['no json', 'null', '{"text":1}']) {
      storage.setItem('roost-edit-1-2-7', text);
      expect(at(1).has(7)).toBe(false);
    }
  });
});
