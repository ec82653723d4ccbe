import { describe, expect, it } from 'vitest';
import { ordered, type Standing } from './order.ts';

const person = (id: number, name: string, presence: Standing['presence']): Standing => ({ id, name, presence });

describe('the people beside a conversation', () => {
  it('stand with those who are here first, each by name', () => {
    const people = [person(1, 'Zoe', 'offline'), person(2, 'Émile', 'active'), person(3, 'Bo', 'idle')];
    const more = [...people, person(4, 'Adam', 'offline'), person(5, 'Eva', 'active'), person(6, 'Emil', 'active')];
    expect(ordered(more).shown.map(({ name }) => name)).toEqual(['Emil', 'Émile', 'Eva', 'Bo', 'Adam', 'Zoe']);
    expect(ordered(more).left).toBe(0);
  });

  it('are those who are here, and the others a number, where there are very many', () => {
    const crowd = Array.from({ length: 10_000 }, (_, id) =>
      person(id, `N${id}`, id % 100 === 0 ? 'active' : 'offline'),
    );
    const { shown, left } = ordered(crowd);
    expect([shown.length, left, shown.every(({ presence }) => presence === 'active')]).toEqual([100, 9900, true]);
    expect(ordered(crowd.map((one) => ({ ...one, presence: 'active' }))).shown.length).toBe(300);
  });
});
