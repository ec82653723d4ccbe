import { insertUser } from '#features/users';
import type { World } from './world.ts';

/** Makes so many members at once, "Person 0" and so on, with addresses by the name; returns their IDs. */
export function insertPeople({ server, realm }: World, count: number, name = 'Person'): Promise<readonly number[]> {
  return server.context.store.in(realm).write(async (tx) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) {
      const email = `${name}${n}@birds.test`.toLowerCase();
      const own = { email, full_name: `${name} ${n}`, role: 400, avatar_source: 'J' } as const;
      ids.push((await insertUser(tx, { realm_id: tx.realmId, ...own })).id);
    }
    return ids;
  });
}
