import { computed, type ReadonlySignal } from '@preact/signals';
import { foldCase } from '#kernel/text';
import type { Client } from '../../client/index.ts';
import type { Channel, Model } from '../../model/index.ts';

/** Something with a name, and the same in folded letters. */
export interface Named {
  readonly name: string;
  readonly folded: string;
}

export const named = <T extends { readonly name: string }>(one: T): T & Named => ({
  ...one,
  folded: foldCase(one.name),
});

/** One that fits, and which part of its name was typed. */
export type Match<T> = T & { readonly match: readonly [from: number, to: number] };

/** Those whose names hold the words: first where the name begins with them, then where a word of it does. Order is kept. */
export function ranked<T extends Named>(all: Iterable<T>, query: string, most: number): readonly Match<T>[] {
  const words = foldCase(query.trim());
  const levels: Match<T>[][] = [[], [], []];
  for (const one of all) {
    const at = one.folded.indexOf(words);
    if (at < 0) continue;
    const level = at === 0 ? 0 : /[\p{L}\p{N}]/u.test(one.folded[at - 1] ?? '') ? 2 : 1;
    const own = levels[level];
    // Folding may change lengths; then nothing is underlined.
    const isSame = one.folded.length === one.name.length;
    if (own && own.length < most) own.push({ ...one, match: isSame ? [at, at + words.length] : [0, 0] });
  }
  return levels.flat().slice(0, most);
}

/** A channel with the name by which it is found. */
export interface NamedChannel extends Named {
  readonly id: number;
  readonly row: Channel;
}

const byName = new Intl.Collator();
const lists = new WeakMap<Model, ReadonlySignal<readonly NamedChannel[]>>();

/** All channels by name. Ten thousand are put in order once, and again when one of them changes; not at each key. */
export function channelsByName({ model }: Client): readonly NamedChannel[] {
  const known = lists.get(model);
  if (known) return known.value;
  const made = computed(() =>
    [...model.channels.table.all]
      .map(([id, row]) => named({ id, row, name: row.channel.name }))
      .toSorted((a, b) => byName.compare(a.name, b.name)),
  );
  lists.set(model, made);
  return made.value;
}
