import { useLayoutEffect } from 'preact/hooks';
import { isTyping } from '../../ui/roving.ts';
import { closeOverlay, overlay } from '../overlays/open.ts';

/** Milliseconds for which keys wait for what is being opened; on a bad connection it may never be loaded. */
export const WAIT_MS = 3000;

/** Keys that would act on a message, or lead away from it. */
const ACTING = /^(?:Delete|Enter|Tab|ArrowUp|ArrowDown|Home|End)$/;
/** Keys that move in what is being opened, or choose from it. */
const CHOOSING = /^(?:Arrow|Enter$|Home$|End$)/;

/** Keys that wait, and since when. */
interface Kept {
  readonly sinceMs: number;
  readonly keys: KeyboardEvent[];
}

/** What is typed for a field that is about to take the focus. */
let coming: Kept | undefined;
/** Keys for the dialog or menu that was opened last. */
let covering: Kept | undefined;
/** Whether that one has what its keys choose from. */
let isFilled = true;

const kept = (): Kept => ({ sinceMs: performance.now(), keys: [] });

/** Keeps what is typed for the next field that takes the focus; returns a function for when none will. */
export function expectField(): () => void {
  const own = kept();
  coming = own;
  return () => {
    if (coming === own) coming = undefined;
  };
}

/** Lets keys in an open dialog or menu wait until what they choose from is there; a second Enter waits no longer. */
export function useFilled(isThere: boolean): void {
  useLayoutEffect(() => {
    isFilled = isThere;
    if (isThere) void release();
  }, [isThere]);
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
  const end = overlay.subscribe((shown) => {
    covering = shown && kept();
    isFilled = true;
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (coming && isLate(event, coming.sinceMs)) coming = undefined;
    if (isCovered()) waitForContents(event);
    else if (!covering) waitForField(event);
    else if (!isLate(event, covering.sinceMs)) waitForOverlay(event, covering);
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
 * Handles a key that is pressed while a dialog or menu is being loaded: Escape closes it, others are kept for it. No key
 * reaches the field that still has the focus, where Enter might send.
 */
function waitForOverlay(event: KeyboardEvent, { keys }: Kept): void {
  const { key } = event;
  if (isChord(event) && key !== 'Enter') return;
  if (key === 'Escape') closeOverlay();
  else if (key === 'Backspace') keys.pop();
  else if (key.length === 1 || CHOOSING.test(key)) keys.push(event);
  else if (!isTyping(event.target)) return;
  take(event);
}

/** Handles a key that is pressed in a dialog or menu which may not have yet what Enter chooses from. */
function waitForContents(event: KeyboardEvent): void {
  // Those that have waited do not wait again.
  if (!covering || isFilled || !event.isTrusted || event.key === 'Escape') return;
  const { keys } = covering;
  if (keys.length === 0 && event.key !== 'Enter') return;
  if (event.key !== 'Enter' || !keys.some(({ key }) => key === 'Enter')) keys.push(event);
  else isFilled = true;
  take(event);
  void release();
}

/** Handles a key that is pressed while a field is being opened. */
function waitForField(event: KeyboardEvent): void {
  const { key } = event;
  if (!coming || isChord(event) || isTyping(event.target)) return;
  if (key === 'Escape') coming = undefined;
  else if (key === 'Backspace') coming.keys.pop();
  else if (key.length === 1) coming.keys.push(event);
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

/** Lets the kept keys act where the focus has gone. */
function onFocus({ target }: FocusEvent): void {
  if (isCovered()) return queueMicrotask(() => void release());
  if (!coming || !isField(target)) return;
  const { keys } = coming;
  coming = undefined;
  // What the field holds may be drawn only after it has the focus.
  queueMicrotask(() => void pressAll(keys));
}

/** Lets the keys for the open dialog or menu act: what is typed at once, the others when there is what they choose from. */
function release(): Promise<void> {
  const keys = covering?.keys ?? [];
  const end = isFilled ? -1 : keys.findIndex(({ key }) => CHOOSING.test(key));
  return pressAll(keys.splice(0, end < 0 ? keys.length : end));
}

async function pressAll(keys: readonly KeyboardEvent[]): Promise<void> {
  for (const key of keys) {
    press(key);
    // The next one is meant for what this one has changed, which is drawn first.
    await Promise.resolve();
  }
}

/** Does what a key does: what the page makes of it, else what the browser would. */
function press(event: KeyboardEvent): void {
  const at = document.activeElement ?? document.body;
  if (!at.dispatchEvent(new KeyboardEvent('keydown', event))) return;
  if (event.key === 'Enter' && at.matches('button, a')) at.dispatchEvent(new MouseEvent('click', event));
  if (event.key.length > 1 || !isField(at)) return;
  at.setRangeText(event.key, at.selectionStart ?? 0, at.selectionEnd ?? 0, 'end');
  at.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function isField(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
