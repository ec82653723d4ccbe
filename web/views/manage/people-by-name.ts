import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client } from '../../client/index.ts';
import type { Model, Person } from '../../model/index.ts';
import { compareNames } from '../../words/index.ts';

/** A person, with the words by which they are found in lower case. */
export interface NamedPerson {
  readonly id: number;
  readonly person: Person;
  readonly words: string;
}

const lists = new WeakMap<Model, ReadonlySignal<readonly NamedPerson[]>>();

/** All people by name, sorted again only when one of them changes, not at each key press: there may be ten thousand. */
export function peopleByName({ model }: Client): readonly NamedPerson[] {
  const known = lists.get(model);
  if (known) return known.value;
  const made = computed(() =>
    [...model.people.table.all]
      .map(([id, person]) => ({ id, person, words: wordsOf(person) }))
      .toSorted((a, b) => compareNames(a.person.user.full_name, b.person.user.full_name)),
  );
  lists.set(model, made);
  return made.value;
}

function wordsOf({ user }: Person): string {
  return `${user.full_name}\n${user.delivery_email ?? ''}`.toLocaleLowerCase();
}
