import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('slots', () => {
  it('hold what was added until it is removed', () => {
    const slots = new Slots<{ readonly name: string }>();
    const removeFirst = slots.add({ name: 'first' });
    slots.add({ name: 'second' });
    removeFirst();
    slots.add({ name: 'third' });
    expect([...slots].map(({ name }) => name).toSorted()).toEqual(['second', 'third']);
    expect(slots.size).toBe(2);
  });

  it('remove nothing else when they remove something twice', () => {
    const slots = new Slots<{ readonly name: string }>();
    const remove = slots.add({ name: 'first' });
    remove();
    slots.add({ name: 'second' });
    remove();
    expect([...slots]).toEqual([{ name: 'second' }]);
    expect(slots.size).toBe(1);
  });

  it('may lose objects while they are gone through', () => {
    const slots = new Slots<{ remove?: () => void }>();
    const items = Array.from({ length: 5 }, (): { remove?: () => void } => ({}));
    for (const item of items) item.remove = slots.add(item);
    let seen = 0;
    for (const item of slots) {
      seen++;
      item.remove?.();
    }
    expect(seen).toBe(5);
    expect(slots.size).toBe(0);
  });
});
