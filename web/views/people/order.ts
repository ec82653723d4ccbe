import type { Presence } from '../../model/index.ts';
import { compareNames } from '../../words/index.ts';

/** A person in the list, with what decides their position. */
export interface Standing {
  readonly id: number;
  readonly name: string;
  readonly presence: Presence;
}

/** Most offline people that are listed; if there are more, only their number is shown. */
const MAX_AWAY = 100;
/** Most active or idle people that are listed. */
const MAX_HERE = 300;
const RANK: Readonly<Record<Presence, number>> = { active: 0, idle: 1, offline: 2 };

/** Returns the people to list, by presence and then by name, and how many are left out. */
export function ordered(people: readonly Standing[]): { readonly shown: readonly Standing[]; readonly left: number } {
  const here = people.filter(({ presence }) => presence !== 'offline').slice(0, MAX_HERE);
  const away = people.filter(({ presence }) => presence === 'offline');
  // Only the people to be listed are sorted, because there may be thousands.
  const listed = away.length > MAX_AWAY ? [] : away;
  const shown = [...here, ...listed].toSorted(
    (a, b) => RANK[a.presence] - RANK[b.presence] || compareNames(a.name, b.name),
  );
  return { shown, left: people.length - shown.length };
}
