import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../words/index.ts';
import { IconButton } from './button.tsx';
import { givingBack } from './give-back.ts';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons, the primary one first. */
  readonly foot?: ComponentChildren | undefined;
  /** Controls beside the title: a field, or a choice of views. */
  readonly tools?: ComponentChildren | undefined;
  readonly onClose: () => void;
  /** On phones the dialog slides in from the bottom. */
  readonly fromFoot?: boolean | undefined;
  readonly class?: string | undefined;
  /** Makes the dialog a form that Enter submits. */
  readonly onSubmit?: (() => void) | undefined;
}

/** A modal dialog: its first field has the focus, Escape closes it, and focus returns to what opened it. */
export function Dialog({
  title,
  children,
  foot,
  tools,
  onClose,
  fromFoot = true,
  class: extra = '',
  onSubmit,
}: DialogProps) {
  const name = useId();
  const ref = useModal(onClose);
  const body = (
    <>
      {children}
      {foot && <div class="dlg-f">{foot}</div>}
    </>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog ref={ref} class={`${fromFoot ? 'sheet-up' : ''} ${extra}`.trim()} aria-labelledby={name}>
      <header class="dlg-h">
        <h2 class="display" id={name} dir="auto">
          {title}
        </h2>
        {tools}
        <IconButton icon="close" label={t('common.close')} keys="Esc" onPress={onClose} />
      </header>
      {onSubmit ? (
        <form class="dlg-b stack-v" onSubmit={submit}>
          {body}
        </form>
      ) : (
        <div class="dlg-b stack-v">{body}</div>
      )}
    </dialog>
  );
}

/**
 * Shows a dialog element modally while it is mounted. A press beside it closes it unless its form was changed; not one
 * that begins in it, as selecting text may end beside it.
 */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // Before the next key is pressed, which is meant for the dialog.
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const giveBack = givingBack(document.activeElement);
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    // A field that comes later is looked at when it is entered.
    const before = new Map<Element, unknown>();
    const see = (field: EventTarget | null) => {
      if (field instanceof Element && !before.has(field)) before.set(field, valueOf(field));
    };
    const isChanged = () =>
      [...before].some(([field, value]) => field.closest('form') !== null && valueOf(field) !== value);
    let isBeside = false;
    const onDown = ({ target }: Event) => {
      isBeside = target === box;
    };
    const onPress = ({ target }: Event) => {
      if (isBeside && target === box && !isChanged()) close.current();
    };
    for (const field of box.querySelectorAll('input, textarea, select')) see(field);
    box.showModal();
    focusFirstField(box);
    const listeners = {
      cancel: onCancel,
      click: onPress,
      pointerdown: onDown,
      focusin: ({ target }: Event) => see(target),
    };
    for (const [type, listener] of Object.entries(listeners)) box.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) box.removeEventListener(type, listener);
      box.close();
      giveBack();
    };
  }, []);
  return ref;
}

/** What a field holds. */
function valueOf(field: Element): unknown {
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) return field.checked;
  return 'value' in field ? field.value : undefined;
}

function focusFirstField(box: HTMLElement): void {
  const field = box.querySelector<HTMLElement>('[autofocus], input:not([type=hidden]), textarea, select');
  field?.focus();
}
