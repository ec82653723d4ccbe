import { describe, expect, it } from 'vitest';
import { Model } from '../../model/index.ts';
import { candidates } from './candidates.ts';

/** The fields that matter here; the rest of an account is the server's. */
const userOf = (user_id: number, full_name: string) => ({ user_id, full_name, email: `${user_id}@roost.test` });

function opened(): Model {
  const model = new Model();
  model.people.load({ realm_users: [userOf(1, 'Mia Member'), userOf(2, 'Max')] } as never);
  return model;
}

const namesIn = (model: Model) => candidates({ model }).map(({ name, isDouble }) => (isDouble ? `${name}|` : name));

describe('the people who can be mentioned', () => {
  it('follow who is renamed, and say whose name another has, too', () => {
    const model = opened();
    expect(namesIn(model)).toEqual(['Mia Member', 'Max']);
    model.people.apply({ op: 'update', person: { user_id: 2, full_name: 'Mia Member' } }, 1);
    expect(namesIn(model)).toEqual(['Mia Member|', 'Mia Member|']);
  });

  it('are those with an active account', () => {
    const model = opened();
    expect(namesIn(model)).toHaveLength(2);
    model.people.apply({ op: 'update', person: { user_id: 2, is_active: false } }, 1);
    expect(namesIn(model)).toEqual(['Mia Member']);
  });

  it('are made once until somebody changes', () => {
    const model = opened();
    expect(candidates({ model })).toBe(candidates({ model }));
  });
});
