import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../../words/deferred.ts';
import { nextInGrid } from './grid.ts';

/** An emoji to choose. */
export interface EmojiChoice {
  readonly code: string;
  readonly name: string;
  /** The emoji's character, or the organization's picture. */
  readonly picture: ComponentChildren;
}

interface EmojiPickerProps {
  readonly groups: readonly {
    readonly title: string;
    readonly picture: string;
    readonly emoji: readonly EmojiChoice[];
  }[];
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Called with the choice; `isMore` with Shift, which keeps the picker open for more. */
  readonly onChoose: (emoji: EmojiChoice, isMore: boolean) => void;
}

/**
 * The emoji picker, for a popover: search by name, or browse the groups. The search field takes letters; arrow keys
 * move between it and the grid, and Enter chooses.
 */
export function EmojiPicker({ groups, query, onQuery, onChoose }: EmojiPickerProps) {
  const grid = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<EmojiChoice>();
  const all = groups.flatMap(({ emoji }) => emoji);
  const pointed = all.find(({ code }) => code === shown?.code) ?? all[0];
  const buttons = () => [...(grid.current?.querySelectorAll<HTMLElement>('.emoji-grid button') ?? [])];
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && all[0]) onChoose(all[0], event.shiftKey);
    else if (event.key === 'ArrowDown') buttons()[0]?.focus();
    else return;
    event.preventDefault();
  };
  const onGridKey = (event: KeyboardEvent) => {
    const found = nextInGrid(buttons(), document.activeElement, event.key);
    if (!found) return;
    event.preventDefault();
    if (found === 'before') field.current?.focus();
    else found.focus();
  };
  return (
    <>
      <div class="find">
        <input
          ref={field}
          class="input"
          type="text"
          aria-label={t('emoji.find')}
          placeholder={t('emoji.find')}
          autocomplete="off"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={onFieldKey}
        />
      </div>
      {groups.length > 1 && (
        <div class="emoji-tabs" role="group" aria-label={t('emoji.groups')}>
          {groups.map(({ title, picture }) => (
            <button
              key={title}
              type="button"
              class="emoji"
              aria-label={title}
              title={title}
              onClick={() => grid.current?.querySelector(`[data-group="${CSS.escape(title)}"]`)?.scrollIntoView()}
            >
              {picture}
            </button>
          ))}
        </div>
      )}
      <div
        class="emoji-scroll"
        ref={grid}
        role="region"
        aria-label={t('emoji.grid')}
        tabIndex={0}
        onKeyDown={onGridKey}
      >
        {groups.map(({ title, emoji }) => (
          <div key={title} role="group" aria-label={title} data-group={title}>
            <p class="group-h" aria-hidden="true">
              {title}
            </p>
            <div class="emoji-grid">
              {emoji.map((choice) => (
                <button
                  key={choice.code}
                  type="button"
                  tabIndex={-1}
                  aria-label={choice.name}
                  onPointerEnter={() => setShown(choice)}
                  onFocus={() => setShown(choice)}
                  onClick={(event) => onChoose(choice, event.shiftKey)}
                >
                  {choice.picture}
                </button>
              ))}
            </div>
          </div>
        ))}
        {all.length === 0 && <p class="nothing">{t('emoji.nothing')}</p>}
      </div>
      {pointed && (
        <div class="emoji-foot" aria-hidden="true">
          <span class="big emoji">{pointed.picture}</span>
          <span class="clip">:{pointed.name}:</span>
        </div>
      )}
    </>
  );
}
