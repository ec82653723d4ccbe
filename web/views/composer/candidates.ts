import type { Model } from '../../model/index.ts';
import { named, type Named } from '../overlays/rank.ts';

interface Person extends Named {
  readonly id: number;
  /** Whether somebody else has the same name. */
  readonly isDouble: boolean;
}

const known = new WeakMap<object, { readonly version: number; readonly all: readonly Person[] }>();

/** Returns all people who can be mentioned; cached until somebody changes. */
export function candidates({ model }: { readonly model: Pick<Model, 'people'> }): readonly Person[] {
  const { table } = model.people;
  const before = known.get(model);
  if (before?.version === table.version) return before.all;
  const rows = table.peekAll();
  const names = new Map<string, number>();
  for (const { user } of rows.values()) names.set(user.full_name, (names.get(user.full_name) ?? 0) + 1);
  const all = [...rows.values()]
    .filter(({ isActive }) => isActive)
    .map(({ user }) =>
      named({ id: Number(user.user_id), name: user.full_name, isDouble: (names.get(user.full_name) ?? 0) > 1 }),
    );
  known.set(model, { version: table.version, all });
  return all;
}
