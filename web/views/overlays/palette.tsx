import type { ComponentChildren } from 'preact';
import { Icon, type IconName, Keys, useModal } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

/** An option of the palette. */
export interface PaletteOption {
  readonly key: string;
  readonly icon?: IconName | undefined;
  /** A person's picture or a channel's icon in place of an icon. */
  readonly lead?: ComponentChildren;
  readonly name: string;
  /** Whether the name stands for a topic without one. */
  readonly isUnnamed?: boolean | undefined;
  /** Range of the name that matches what was typed, without its end. */
  readonly match?: readonly [from: number, to: number] | undefined;
  readonly note?: string | undefined;
  readonly end?: ComponentChildren;
}

interface PaletteProps {
  /** Label of the field, which says what can be typed. */
  readonly ask: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly groups: readonly { readonly title: string; readonly options: readonly PaletteOption[] }[];
  /** Key of the option that Enter chooses. */
  readonly selected: string | undefined;
  readonly onChoose: (option: PaletteOption, isNewTab: boolean) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onClose: () => void;
}

/** Jumps to a conversation, person, action or setting; a search for messages is always the last option. */
export function Palette({ ask, query, onQuery, groups, selected, onChoose, onMove, onClose }: PaletteProps) {
  const ref = useModal(onClose);
  const all = groups.flatMap(({ options }) => options);
  const onKey = (event: KeyboardEvent) => {
    const chosen = all.find(({ key }) => key === selected);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') onMove(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter' && chosen) onChoose(chosen, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={ref} class="palette" aria-label={t('palette.label')}>
      <div class="ask">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded={all.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={selected === undefined ? undefined : `palette-${selected}`}
          aria-autocomplete="list"
          aria-label={ask}
          placeholder={ask}
          autocomplete="off"
          dir="auto"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <kbd class="keyhint">Esc</kbd>
      </div>
      <div class="options" role="listbox" id="palette-list" aria-label={t('palette.matches')}>
        {groups.map(({ title, options }) => (
          <div key={title} role="group" aria-label={title}>
            <p class="group-h" aria-hidden="true">
              {title}
            </p>
            {options.map((option) => (
              <Option key={option.key} option={option} isSelected={option.key === selected} onChoose={onChoose} />
            ))}
          </div>
        ))}
      </div>
      {all.length === 0 && <p class="nothing">{t('palette.nothing')}</p>}
      <div class="pop-foot keyhint" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('complete.choose')}
        </span>
        <span>
          <kbd>Enter</kbd> {t('palette.open')}
        </span>
        <span>
          <Keys keys="Ctrl Enter" /> {t('palette.newTab')}
        </span>
      </div>
    </dialog>
  );
}

interface OptionProps {
  readonly option: PaletteOption;
  readonly isSelected: boolean;
  readonly onChoose: (option: PaletteOption, isNewTab: boolean) => void;
}

function Option({ option, isSelected, onChoose }: OptionProps) {
  const { key, icon, lead, name, isUnnamed, match = [0, 0], note, end } = option;
  const [from, to] = match;
  const marked = (
    <>
      {name.slice(0, from)}
      {to > from && <u>{name.slice(from, to)}</u>}
      {name.slice(to)}
    </>
  );
  return (
    <div
      class="option"
      role="option"
      id={`palette-${key}`}
      aria-selected={isSelected}
      onClick={(event) => onChoose(option, event.ctrlKey || event.metaKey)}
    >
      <span class="glyph">{icon ? <Icon name={icon} small /> : lead}</span>
      <span class="grow clip">
        <b dir="auto">{isUnnamed === true ? <em>{marked}</em> : marked}</b>{' '}
        {note !== undefined && <small dir="auto">{note}</small>}
      </span>
      {end !== undefined && <span class="end">{end}</span>}
    </div>
  );
}
