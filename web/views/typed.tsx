// Values typed into forms, stored until the page is closed, so that a form closed by mistake still has them when it is
// opened again.
import { type Signal, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Button } from '../ui/index.ts';
import { t } from '../words/index.ts';

/** Compared by identity. */
type Value = string | number | boolean;
type Values = Readonly<Record<string, unknown>>;

const forms = new Map<string, Signal<Values>>();

function valuesOf(form: string): Signal<Values> {
  const known = forms.get(form);
  if (known) return known;
  const made = signal<Values>({});
  forms.set(form, made);
  return made;
}

/**
 * A form's value, used like `useState`, that is stored until the form is submitted; a value that is changed back to its
 * initial one is not stored. Must not be used for passwords.
 */
export function useTyped<T>(form: string, field: string, initial: T & Value): readonly [T, (value: T) => void] {
  const values = valuesOf(form);
  const typed = values.value[field];
  const set = (value: T) => {
    const others = Object.entries(values.peek()).filter(([name]) => name !== field);
    values.value = Object.fromEntries(value === initial ? others : [...others, [field, value]]);
  };
  return [isLike(initial, typed) ? typed : initial, set];
}

function isLike<T>(initial: T, typed: unknown): typed is T {
  return typeof typed === typeof initial;
}

/** Names of the fields of a form in which something was typed. */
export function typedIn(form: string): readonly string[] {
  return Object.keys(valuesOf(form).peek());
}

/** Discards the values of a form after it was submitted or cancelled. */
export function forgetTyped(form: string): void {
  valuesOf(form).value = {};
}

/** Says that a form has values from before, and offers to discard them. */
export function TypedBefore({ form }: { readonly form: string }) {
  const values = valuesOf(form);
  const [isOld] = useState(() => Object.keys(values.peek()).length > 0);
  if (!isOld || Object.keys(values.value).length === 0) return null;
  return (
    <p class="hint typed-before">
      <span role="status">{t('typed.before')}</span>
      <Button small look="ghost" onPress={() => forgetTyped(form)}>
        {t('typed.anew')}
      </Button>
    </p>
  );
}
