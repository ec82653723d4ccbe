import { isTyping } from '../../ui/roving.ts';
import { closeOverlay, overlay, typeAhead } from '../overlays/open.ts';

/** Milliseconds for which keys wait for what is being opened; on a bad connection it may never be loaded. */
export const WAIT_MS = 3000;

/** Keys that would act on a message, or lead away from it. */
const ACTING = /^(?:Delete|Enter|Tab|ArrowUp|ArrowDown|Home|End)$/;

/** What is typed for a field that is about to take the focus. */
let coming: { readonly sinceMs: number; typed: string } | undefined;

/** Keeps what is typed for the next field that takes the focus; returns a function for when none will. */
export function expectField(): () => void {
  const own: typeof coming = { sinceMs: performance.now(), typed: '' };
  coming = own;
  return () => {
    if (coming === own) coming = undefined;
  };
}

/** Keeps what is typed while a call leads to a field, unless it resolves to false. */
export async function leadToField(call: Promise<boolean>): Promise<void> {
  const end = expectField();
  if (!(await call)) end();
}

/** Whether a dialog or menu is open, which has keys of its own. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], [popover]:popover-open') !== null;
}

/**
 * Keeps keys that are pressed before what they are meant for is there, after `WAIT_MS` only Escape. Returns a function
 * that ends this.
 */
export function keepEarlyKeys(): () => void {
  let askedMs = 0;
  const end = overlay.subscribe(() => (askedMs = performance.now()));
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || isCovered()) return;
    if (coming && isLate(event, coming.sinceMs)) coming = undefined;
    if (overlay.value === undefined) waitForField(event);
    else if (!isLate(event, askedMs)) waitForOverlay(event);
  };
  const onPress = () => (coming = undefined);
  addEventListener('keydown', onKey, true);
  addEventListener('focusin', onFocus, true);
  addEventListener('pointerdown', onPress, true);
  return () => {
    end();
    removeEventListener('keydown', onKey, true);
    removeEventListener('focusin', onFocus, true);
    removeEventListener('pointerdown', onPress, true);
  };
}

/** Whether a key comes too late to be meant for what was asked for, by when it was pressed: a busy page handles it later. */
function isLate({ key, timeStamp }: KeyboardEvent, sinceMs: number): boolean {
  return key !== 'Escape' && timeStamp - sinceMs >= WAIT_MS;
}

/**
 * Handles a key that is pressed while a dialog or menu is being loaded: letters are kept for its field, and Escape
 * closes it. No key reaches the field that still has the focus, where Enter might send.
 */
function waitForOverlay(event: KeyboardEvent): void {
  const { key } = event;
  if (key === 'Escape') closeOverlay();
  else if (isChord(event) || (key.length > 1 && !isTyping(event.target))) return;
  else if (key.length === 1) typeAhead(key);
  take(event);
}

/** Handles a key that is pressed while a field is being opened. */
function waitForField(event: KeyboardEvent): void {
  const { key } = event;
  if (!coming || isChord(event) || isTyping(event.target)) return;
  if (key === 'Escape') coming = undefined;
  else if (key === 'Backspace') coming.typed = [...coming.typed].slice(0, -1).join('');
  else if (key.length === 1) coming.typed += key;
  else if (!ACTING.test(key)) return;
  take(event);
}

function isChord({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey;
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Types what was kept into the field that has taken the focus. */
function onFocus({ target: field }: FocusEvent): void {
  if (!coming || !(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  const { typed } = coming;
  coming = undefined;
  if (typed === '') return;
  // What the field holds may be drawn only after it has the focus.
  queueMicrotask(() => {
    field.setRangeText(typed, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}
