import type { Presence } from '../../model/index.ts';

/** A person for the list: what decides where they stand. */
export interface Standing {
  readonly id: number;
  readonly name: string;
  readonly presence: Presence;
}

/** Of those who are away, as many are listed; the rest is counted. */
const MAX_AWAY = 100;
/** Most people who are listed of those who are here. */
const MAX_HERE = 300;
const RANK: Readonly<Record<Presence, number>> = { active: 0, idle: 1, offline: 2 };
const byName = new Intl.Collator();

/** Who is here first, then by name; and how many are left out because the list would be too long. */
export function ordered(people: readonly Standing[]): { readonly shown: readonly Standing[]; readonly left: number } {
  const here = people.filter(({ presence }) => presence !== 'offline').slice(0, MAX_HERE);
  const away = people.filter(({ presence }) => presence === 'offline');
  // Thousands are not sorted to show a few.
  const listed = away.length > MAX_AWAY ? [] : away;
  const shown = [...here, ...listed].toSorted(
    (a, b) => RANK[a.presence] - RANK[b.presence] || byName.compare(a.name, b.name),
  );
  return { shown, left: people.length - shown.length };
}
