import type { Ref } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Completion, type CompletionOption, optionId } from './completion.tsx';

interface ComboProps<Option extends CompletionOption> {
  readonly label: string;
  /** Name of the list of options: "Topics of design". */
  readonly listLabel: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  readonly onChoose: (option: Option) => void;
  /** Accepts text that is not an option: Enter chooses an option only after an arrow key has selected one. */
  readonly isFree?: boolean | undefined;
  /** Called for Enter with no option selected. */
  readonly onEnter?: (() => void) | undefined;
  readonly onEscape?: (() => void) | undefined;
  readonly onBackspace?: (() => void) | undefined;
  readonly onLeave?: (() => void) | undefined;
  /** Opens the list at once, without a key. */
  readonly isOpen?: boolean | undefined;
  readonly isWrong?: boolean | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly maxLength?: number | undefined;
  readonly class?: string | undefined;
  readonly elementRef?: Ref<HTMLInputElement> | undefined;
}

/** A text field with options: arrow keys move through them, Enter chooses one, Escape closes them. */
export function Combo<Option extends CompletionOption>(props: ComboProps<Option>) {
  const { label, listLabel, value, options, isFree = false, isOpen: opensAtOnce = false } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(opensAtOnce);
  const [selected, setSelected] = useState(isFree ? -1 : 0);
  const own = useRef<HTMLInputElement>(null);
  // Before the next key is pressed, which is meant for it.
  useLayoutEffect(() => {
    if (opensAtOnce) own.current?.focus();
  }, []);
  const isShown = isOpen && options.length > 0;
  const choose = (option: Option | undefined) => {
    if (!option || option.refusal !== undefined) return;
    setOpen(opensAtOnce);
    setSelected(isFree ? -1 : 0);
    props.onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const from = selected < 0 && step < 0 ? 0 : selected;
      if (options.length > 0)
        setSelected(isShown ? (from + step + options.length) % options.length : Math.max(0, from));
      setOpen(true);
    } else if (event.key === 'Enter' && isShown && selected >= 0) choose(options[selected]);
    else if (event.key === 'Enter') props.onEnter?.();
    else if (event.key === 'Escape' && (isShown || props.onEscape)) {
      setOpen(false);
      props.onEscape?.();
    } else if (event.key === 'Backspace' && value === '' && props.onBackspace) props.onBackspace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = props.class === undefined ? 'input' : props.class;
  return (
    <>
      <input
        ref={(element) => {
          own.current = element;
          const { elementRef } = props;
          if (typeof elementRef === 'object' && elementRef !== null) elementRef.current = element;
        }}
        class={props.isWrong === true ? `${name} wrong` : name}
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-activedescendant={isShown && selected >= 0 ? optionId(id, selected) : undefined}
        aria-autocomplete="list"
        aria-invalid={props.isWrong === true || undefined}
        readOnly={props.isReadOnly}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        autocomplete="off"
        dir="auto"
        value={value}
        onInput={(event) => {
          setOpen(true);
          setSelected(isFree ? -1 : 0);
          props.onText(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOpen(opensAtOnce);
          props.onLeave?.();
        }}
      />
      {isShown && (
        <Completion
          id={id}
          label={listLabel}
          options={options}
          selected={selected}
          isInset={opensAtOnce}
          onPoint={setSelected}
          onChoose={(option) => choose(options.find(({ key }) => key === option.key))}
        />
      )}
    </>
  );
}
