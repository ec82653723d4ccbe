import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoving } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** An emoji that can be chosen. */
export interface EmojiChoice {
  readonly code: string;
  readonly name: string;
  /** The character, or the picture of an emoji of the organization. */
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
  /** With Shift several may be chosen. */
  readonly onChoose: (emoji: EmojiChoice, isMore: boolean) => void;
}

/** The emoji picker, for a popover: find by name, or look through the groups. */
export function EmojiPicker({ groups, query, onQuery, onChoose }: EmojiPickerProps) {
  const grid = useRoving<HTMLDivElement>({ items: '.emoji-grid button', axis: 'both' });
  const [shown, setShown] = useState<EmojiChoice>();
  const pointed = shown ?? groups[0]?.emoji[0];
  return (
    <>
      <div class="find">
        <input
          class="input"
          type="text"
          aria-label={t('emoji.find')}
          placeholder={t('emoji.find')}
          autocomplete="off"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
        />
      </div>
      <div class="emoji-scroll" ref={grid} role="region" aria-label={t('emoji.grid')} tabIndex={-1}>
        {groups.map(({ title, emoji }) => (
          <div key={title} role="group" aria-label={title}>
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
        {groups.length === 0 && <p class="nothing">{t('emoji.nothing')}</p>}
      </div>
      {pointed && (
        <div class="emoji-foot" aria-hidden="true">
          <span class="big emoji">{pointed.picture}</span>
          <span class="clip">{pointed.name}</span>
        </div>
      )}
    </>
  );
}
