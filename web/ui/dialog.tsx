import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../words/index.ts';
import { IconButton } from './button.tsx';

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
 * Shows a dialog element modally while it is mounted. A click beside it closes it unless something was typed into its
 * form, because selecting text may end beside it.
 */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const opener = document.activeElement;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    let isTyped = false;
    const onInput = (event: Event) => {
      isTyped ||= event.target instanceof Element && event.target.closest('form') !== null;
    };
    const onPress = (event: MouseEvent) => {
      if (event.target === box && !isTyped) close.current();
    };
    box.showModal();
    focusFirstField(box);
    box.addEventListener('cancel', onCancel);
    box.addEventListener('click', onPress);
    box.addEventListener('input', onInput);
    return () => {
      box.removeEventListener('cancel', onCancel);
      box.removeEventListener('click', onPress);
      box.removeEventListener('input', onInput);
      box.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return ref;
}

function focusFirstField(box: HTMLElement): void {
  const field = box.querySelector<HTMLElement>('[autofocus], input:not([type=hidden]), textarea, select');
  field?.focus();
}
