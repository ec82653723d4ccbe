import { useState } from 'preact/hooks';
import type { Client } from '../../client/index.ts';
import { Popover, useRoving } from '../../ui/index.ts';
import { TextInput } from '../../ui/field.tsx';
import { t } from '../../words/deferred.ts';
import { peopleByName } from './people-by-name.ts';
import { groupName } from './rights.ts';

/** Most choices at once; typing more letters finds others. */
const MAX_OFFERED = 8;

/** A group, person or channel to choose. */
export interface Choice {
  readonly kind: 'group' | 'person' | 'channel';
  readonly id: number;
  readonly name: string;
  readonly hint: string;
}

interface PickerProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly choices: readonly Choice[];
  /** Label of the search field. */
  readonly find?: string;
  readonly onChoose: (choice: Choice) => void;
  readonly onClose: () => void;
}

/** A popover that finds choices by name: arrow keys move through them, Enter takes one. */
export function Picker({ label, anchor, choices, find = t('picker.find'), onChoose, onClose }: PickerProps) {
  const [query, setQuery] = useState('');
  const list = useRoving<HTMLDivElement>({ items: 'button', vi: false });
  const wanted = query.trim().toLocaleLowerCase();
  const found = choices.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = found;
    if (event.key === 'Enter' && first) {
      event.preventDefault();
      onChoose(first);
    }
  };
  return (
    <Popover anchor={anchor} onClose={onClose} role="dialog" label={label} class="picker">
      <TextInput
        type="search"
        aria-label={find}
        placeholder={find}
        autoFocus
        value={query}
        onText={setQuery}
        onKeyDown={onKeyDown}
      />
      <div ref={list}>
        {found.slice(0, MAX_OFFERED).map((choice) => (
          <button key={`${choice.kind}-${choice.id}`} type="button" class="menu-item" onClick={() => onChoose(choice)}>
            <span class="grow" dir="auto">
              {choice.name}
            </span>
            <small class="hint">{choice.hint}</small>
          </button>
        ))}
      </div>
      {found.length === 0 && <p class="hint">{t('people.nobody')}</p>}
      {found.length > MAX_OFFERED && <p class="hint">{t('picker.more', { count: found.length - MAX_OFFERED })}</p>}
    </Popover>
  );
}

/** All active people, except some. */
export function peopleToChoose(client: Client, except: ReadonlySet<number>): readonly Choice[] {
  return peopleByName(client)
    .filter(({ id, person }) => person.isActive && person.user.is_system_bot !== true && !except.has(id))
    .map(({ id, person: { user } }) => ({
      kind: 'person' as const,
      id,
      name: user.full_name,
      hint: user.delivery_email ?? '',
    }));
}

/** Groups in use that pass a test, those that people created first. */
export function groupsToChoose(
  client: Client,
  passes: (group: { readonly id: number; readonly name: string; readonly isSystem: boolean }) => boolean,
): readonly Choice[] {
  return (client.model.facts.get('realm_user_groups') ?? [])
    .filter((group) => !group.deactivated)
    .map((group) => ({ id: Number(group.id), name: group.name, isSystem: group.is_system_group }))
    .filter(passes)
    .toSorted((a, b) => Number(a.isSystem) - Number(b.isSystem))
    .map(({ id }) => ({ kind: 'group' as const, id, name: groupName(client, id), hint: t('picker.group') }));
}
