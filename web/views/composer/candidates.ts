import type { Client } from '../../client/index.ts';
import { named, type Named } from '../overlays/rank.ts';

interface Person extends Named {
  readonly id: number;
  /** Whether somebody else has the same name. */
  readonly isDouble: boolean;
}

const known = new WeakMap<object, { readonly size: number; readonly all: readonly Person[] }>();

/** Returns all people who can be mentioned; cached until somebody is added or removed. */
export function candidates({ model }: Client): readonly Person[] {
  const rows = model.people.table.peekAll();
  const before = known.get(model);
  if (before?.size === rows.size) return before.all;
  const names = new Map<string, number>();
  for (const { user } of rows.values()) names.set(user.full_name, (names.get(user.full_name) ?? 0) + 1);
  const all = [...rows.values()]
    .filter(({ isActive }) => isActive)
    .map(({ user }) =>
      named({ id: Number(user.user_id), name: user.full_name, isDouble: (names.get(user.full_name) ?? 0) > 1 }),
    );
  known.set(model, { size: rows.size, all });
  return all;
}
