import type { UserId } from '#kernel/ids';
import type { Entry } from '../entry.ts';
import type { Plan } from '../plan.ts';

/** An entry and the user to whom it belongs. */
export interface Owned {
  readonly row: Entry;
  readonly user_id: UserId;
}

/** The user to whom an entry belongs; undefined if they were not imported. */
export function ownerOf({ users }: Plan, row: Entry, column = 'user_profile'): UserId | undefined {
  return users.of(row.idOrNull(column));
}

/** The entries of a table whose users were imported. */
export function owned(plan: Plan, source: string, column?: string): readonly Owned[] {
  return plan.tables.rows(source).flatMap((row) => {
    const user_id = ownerOf(plan, row, column);
    return user_id === undefined ? [] : [{ row, user_id }];
  });
}

/** The last row under each key: an archive may have several where Roost stores one. */
export function lastOfEach<T>(rows: readonly T[], key: (row: T) => string): readonly T[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}
