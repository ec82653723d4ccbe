import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon, IconButton } from '../ui/index.ts';
import { type ControlNames, FieldError, SavedNote, Switch } from '../ui/field.tsx';
import { t } from '../words/deferred.ts';
import { useSought } from './sought.ts';

interface SettingRowProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly saved?: boolean | undefined;
  /** Keeps a small control beside its label on phones, too. */
  readonly isInline?: boolean | undefined;
  readonly children: (names: ControlNames) => ComponentChildren;
}

/** One setting: its label at the start, its control at the end, and the server's answer beside it. */
export function SettingRow({ label, hint, error, saved = false, isInline = false, children }: SettingRowProps) {
  const id = useId();
  const sought = useSought<HTMLDivElement>(label);
  const note = `${id}-note`;
  const names: ControlNames = {
    id,
    'aria-describedby': error !== undefined || hint !== undefined ? note : undefined,
    'aria-invalid': error === undefined ? undefined : true,
  };
  return (
    <div class={isInline ? 'set-row inline' : 'set-row'} {...sought}>
      <div>
        <label class="label" for={id}>
          {label} <SavedNote isShown={saved} />
        </label>
        {hint !== undefined && error === undefined && (
          <span class="hint" id={note}>
            {hint}
          </span>
        )}
      </div>
      <div class={isInline ? 'ctl end' : 'ctl'}>
        {children(names)}
        {error !== undefined && <FieldError id={note} text={error} />}
      </div>
    </div>
  );
}

interface SwitchRowProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly saved?: boolean | undefined;
  readonly checked: boolean;
  readonly disabled?: boolean | undefined;
  readonly onChange: (checked: boolean) => void;
}

/** A setting that is on or off. */
export function SwitchRow({ checked, disabled = false, onChange, ...row }: SwitchRowProps) {
  return (
    <SettingRow {...row} isInline>
      {(names) => <Switch {...names} checked={checked} disabled={disabled} onChange={onChange} />}
    </SettingRow>
  );
}

/** A value that others control, and who does. */
export function FixedValue({ value, by }: { readonly value: string; readonly by: string }) {
  return (
    <p class="fixed-val">
      <Icon name="lock" small />
      <span>
        {value} <span class="hint">{t('settings.fixedBy', { name: by })}</span>
      </span>
    </p>
  );
}

interface StepperProps {
  readonly label: string;
  readonly value: string;
  /** Absent at the lower limit, as `onMore` is at the upper one. */
  readonly onLess?: (() => void) | undefined;
  readonly onMore?: (() => void) | undefined;
}

/** A number that is changed in steps. */
export function Stepper({ label, value, onLess, onMore }: StepperProps) {
  return (
    <div class="stepper" role="group" aria-label={label}>
      <IconButton
        icon="zoomout"
        small
        label={t('settings.smaller')}
        refusal={onLess ? undefined : value}
        onPress={onLess}
      />
      <output>{value}</output>
      <IconButton
        icon="zoomin"
        small
        label={t('settings.larger')}
        refusal={onMore ? undefined : value}
        onPress={onMore}
      />
    </div>
  );
}

interface ChoiceCardsProps<Value extends string> {
  /** ID of the heading that names the choice. */
  readonly labelledBy: string;
  readonly name: string;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly hint?: string | undefined;
    readonly picture?: ComponentChildren;
  }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of two or three options, each with a card. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { labelledBy, name, options, value, onChange } = props;
  return (
    <div class={options.length === 2 ? 'cards two-up' : 'cards'} role="radiogroup" aria-labelledby={labelledBy}>
      {options.map((option) => (
        <label key={option.value} class={option.picture ? 'card-radio pic' : 'card-radio'}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.picture}
          <b>{option.label}</b>
          {option.hint !== undefined && <small>{option.hint}</small>}
        </label>
      ))}
    </div>
  );
}
