import type { ComponentChildren } from 'preact';
import { Icon, type IconName, Keys } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** An option of the completion. */
export interface CompletionOption {
  readonly key: string;
  readonly name: string;
  /** Whether the name stands for a topic without one. */
  readonly isUnnamed?: boolean | undefined;
  /** A picture before the name: of a person, a channel or an emoji; or the name of an icon. */
  readonly lead?: ComponentChildren;
  readonly icon?: IconName | undefined;
  readonly note?: string | undefined;
  /** Why the option is listed, at the end of its row. */
  readonly end?: string | undefined;
  /** Why the option cannot be chosen. */
  readonly refusal?: string | undefined;
}

interface CompletionProps {
  readonly id: string;
  /** Name of the list: "People and groups". */
  readonly label: string;
  readonly options: readonly CompletionOption[];
  readonly selected: number;
  readonly onChoose: (option: CompletionOption) => void;
  readonly onPoint?: ((index: number) => void) | undefined;
  /** Whether Shift chooses a silent mention. */
  readonly offersSilent?: boolean | undefined;
  /** Drawn inside a dialog instead of over the composer. */
  readonly isInset?: boolean | undefined;
}

/** Returns the ID of an option's element, for the field that keeps the focus. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** The list of completions over the composer; the field keeps the focus. */
export function Completion(props: CompletionProps) {
  const { id, label, options, selected, onChoose, onPoint, offersSilent, isInset } = props;
  return (
    <div class={isInset === true ? 'stack-v' : 'pop abs over-composer'}>
      <ul class={isInset === true ? 'options inset' : 'options'} role="listbox" id={id} aria-label={label}>
        {options.map((option, index) => (
          <li
            key={option.key}
            class={option.refusal === undefined ? 'option' : 'option off'}
            role="option"
            id={optionId(id, index)}
            aria-selected={index === selected}
            aria-disabled={option.refusal !== undefined || undefined}
            // Otherwise the mouse button would take the focus from the field.
            onMouseDown={(event) => event.preventDefault()}
            onPointerMove={() => onPoint?.(index)}
            onClick={() => onChoose(option)}
          >
            {option.icon ? (
              <span class="glyph">
                <Icon name={option.icon} small />
              </span>
            ) : (
              option.lead
            )}
            <span class="grow clip">
              <b dir="auto">{option.isUnnamed === true ? <em>{option.name}</em> : option.name}</b>{' '}
              {option.note !== undefined && <small dir="auto">{option.note}</small>}
            </span>
            {(option.refusal ?? option.end) !== undefined && <span class="end">{option.refusal ?? option.end}</span>}
          </li>
        ))}
      </ul>
      <p class="sr" role="status">
        {t('complete.matches', { count: options.length })}
      </p>
      <div class="pop-foot keyhint" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('complete.choose')}
        </span>
        <span>
          <kbd>Enter</kbd> {t('complete.insert')}
        </span>
        {offersSilent === true && (
          <span>
            <Keys keys="Shift Enter" /> {t('complete.silent')}
          </span>
        )}
      </div>
    </div>
  );
}
