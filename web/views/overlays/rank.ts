import { computed, type ReadonlySignal } from '@preact/signals';
import { foldCase } from '#kernel/text';
import type { Client } from '../../client/index.ts';
import type { Channel, Model } from '../../model/index.ts';
import { compareNames } from '../../words/index.ts';

/** Something with a name, which is also stored case-folded. */
export interface Named {
  readonly name: string;
  /** May go on with other words that it is found by. */
  readonly folded: string;
}

export const named = <T extends { readonly name: string }>(one: T): T & Named => ({
  ...one,
  folded: foldCase(one.name),
});

/** A match, with the range of the name that matches. */
export type Match<T> = T & { readonly match: readonly [from: number, to: number] };

/**
 * Returns what matches a query: first names that begin with it, then names with a word that does, then others. Keeps
 * the order within each.
 */
export function ranked<T extends Named>(all: Iterable<T>, query: string, most: number): readonly Match<T>[] {
  const words = foldCase(query.trim());
  const levels: Match<T>[][] = [[], [], []];
  for (const one of all) {
    const at = one.folded.indexOf(words);
    if (at < 0) continue;
    const level = at === 0 ? 0 : /[\p{L}\p{N}]/u.test(one.folded[at - 1] ?? '') ? 2 : 1;
    const own = levels[level];
    const end = at + words.length;
    if (own && own.length < most) own.push({ ...one, match: isInName(one.name, end) ? [at, end] : [0, 0] });
  }
  return levels.flat().slice(0, most);
}

/** Whether a range of the folded name is one of the name: case folding may change lengths, and other words may follow. */
function isInName(name: string, end: number): boolean {
  return end <= name.length && foldCase(name).length === name.length;
}

/** A channel with its case-folded name. */
export interface NamedChannel extends Named {
  readonly id: number;
  readonly row: Channel;
}

const lists = new WeakMap<Model, ReadonlySignal<readonly NamedChannel[]>>();

/**
 * All channels by name, sorted again only when one of them changes, not at each key press: there may be ten thousand.
 */
export function channelsByName({ model }: Client): readonly NamedChannel[] {
  const known = lists.get(model);
  if (known) return known.value;
  const made = computed(() =>
    [...model.channels.table.all]
      .map(([id, row]) => named({ id, row, name: row.channel.name }))
      .toSorted((a, b) => compareNames(a.name, b.name)),
  );
  lists.set(model, made);
  return made.value;
}
