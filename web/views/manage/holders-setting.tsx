import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Client } from '../../client/index.ts';
import { type Holder, Permission } from '../../settings/index.ts';
import { type Choice, Picker } from './picker.tsx';
import { SavedRow } from './saving.tsx';

interface HoldersSettingProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly fixedBy?: string | undefined;
  readonly saver: Parameters<typeof SavedRow>[0]['saver'];
  readonly pickerLabel: string;
  readonly holders: readonly Holder[];
  /** Called when the picker is open. */
  readonly choices: () => readonly Choice[];
  readonly onAdd: (choice: Choice) => void;
  /** Absent where none may be removed. */
  readonly onRemove: ((holder: Holder) => void) | undefined;
}

/** A setting whose value is people or groups: chips that can be removed, and a picker that adds one. */
export function HoldersSetting(props: HoldersSettingProps) {
  const { label, fixedBy, pickerLabel, holders, choices, onAdd, onRemove } = props;
  const [anchor, setAnchor] = useState<HTMLElement | undefined>();
  const choose = (choice: Choice) => {
    setAnchor(undefined);
    onAdd(choice);
  };
  return (
    <SavedRow {...props}>
      {({ id }) => (
        <div id={id}>
          <Permission
            label={label}
            holders={holders}
            onAdd={fixedBy === undefined ? setAnchor : undefined}
            onRemove={fixedBy === undefined ? onRemove : undefined}
          />
          {anchor && (
            <Picker
              label={pickerLabel}
              anchor={anchor}
              choices={choices()}
              onChoose={choose}
              onClose={() => setAnchor(undefined)}
            />
          )}
        </div>
      )}
    </SavedRow>
  );
}

export function personName({ model }: Client, id: number): string {
  return model.people.table.get(id)?.user.full_name ?? `#${id}`;
}
