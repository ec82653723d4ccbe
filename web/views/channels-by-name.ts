import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client } from '../client/index.ts';
import type { Channel, Model } from '../model/index.ts';
import { named, type Named } from './overlays/rank.ts';

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
