import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../words/index.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** Attributes that tie a control to its label and to its hint or error. */
export interface ControlNames {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren | undefined;
  /** The server's error message, shown in place of the hint. */
  readonly error?: string | undefined;
  /** Whether it was just saved; said beside the label. */
  readonly saved?: boolean | undefined;
  readonly children: (names: ControlNames) => ComponentChildren;
}

/** A labelled control with its hint or its error. */
export function Field({ label, hint, error, saved = false, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  const isDescribed = error !== undefined || hint !== undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        <SavedNote isShown={saved} />
      </label>
      {children({
        id,
        'aria-describedby': isDescribed ? note : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? (
        hint !== undefined && (
          <span class="hint" id={note}>
            {hint}
          </span>
        )
      ) : (
        <FieldError id={note} text={error} />
      )}
    </div>
  );
}

/** The server's error about a value. Scrolls into view, because it may be at the end of a long dialog. */
export function FieldError({ id, text }: { readonly id: string; readonly text: string }) {
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [text]);
  return (
    <span class="err" id={id} ref={ref} role="alert">
      <Icon name="alert" small />
      <span>{text}</span>
    </span>
  );
}

/** "Saved", announced when it appears. */
export function SavedNote({ isShown }: { readonly isShown: boolean }) {
  return (
    <span role="status" class="saved-note">
      {isShown && (
        <>
          <Icon name="check" small />
          {t('common.saved')}
        </>
      )}
    </span>
  );
}

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'icon'> {
  readonly icon?: IconName | undefined;
  readonly onText?: ((text: string) => void) | undefined;
}

/** A text field of one line. */
export function TextInput({ icon, onText, ...rest }: TextInputProps) {
  const input = <input class="input" dir="auto" {...rest} onInput={(event) => onText?.(event.currentTarget.value)} />;
  if (!icon) return input;
  return (
    <span class="input-wrap">
      <Icon name={icon} small />
      {input}
    </span>
  );
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onInput'> {
  readonly onText: (text: string) => void;
}

/** A text field of several lines. */
export function TextArea({ onText, ...rest }: TextAreaProps) {
  return <textarea class="input" dir="auto" {...rest} onInput={(event) => onText(event.currentTarget.value)} />;
}

interface SearchInputProps extends TextInputProps {
  /** Its accessible name, and its placeholder unless `placeholder` is given. */
  readonly label: string;
}

/** A field that filters a list. */
export function SearchInput({ label, ...rest }: SearchInputProps) {
  return <TextInput icon="search" type="search" aria-label={label} placeholder={label} {...rest} />;
}

interface SelectProps<Value extends string> extends Partial<ControlNames> {
  readonly options: readonly { readonly value: Value; readonly label: string; readonly isOff?: boolean }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean | undefined;
  readonly label?: string | undefined;
  /** Whether a choice takes effect at once: then arrow keys open the list, instead of passing through its values. */
  readonly isAtOnce?: boolean | undefined;
}

/** A choice of one among a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onChange, label, isAtOnce = false, ...rest } = props;
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <span class="select">
      <select
        class="input"
        aria-label={label}
        {...rest}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
        onKeyDown={isAtOnce ? openByArrows : undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isOff}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

const ARROWS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/** Opens the list of a select, as macOS does, where other systems would choose the next value. */
function openByArrows(event: KeyboardEvent): void {
  const { currentTarget: select } = event;
  if (!ARROWS.has(event.key) || event.altKey || !(select instanceof HTMLSelectElement) || !('showPicker' in select))
    return;
  event.preventDefault();
  select.showPicker();
}

interface CheckProps extends Partial<ControlNames> {
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  readonly checked: boolean;
  readonly disabled?: boolean | undefined;
  readonly onChange: (checked: boolean) => void;
}

/** A check box with its label. */
export function Checkbox({ label, hint, checked, onChange, ...rest }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" {...rest} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}

interface SwitchProps extends Partial<ControlNames> {
  readonly checked: boolean;
  readonly disabled?: boolean | undefined;
  readonly label?: string | undefined;
  readonly onChange: (checked: boolean) => void;
}

/** An on-off switch that takes effect at once. */
export function Switch({ checked, onChange, label, ...rest }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      aria-label={label}
      {...rest}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
