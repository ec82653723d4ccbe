import { useRef } from 'preact/hooks';
import { browserClock as clock } from '../../client/index.ts';

/** Milliseconds after which a touch is a long press. */
const HOLD_MS = 500;
/** Milliseconds within which the click of a touch follows its end. */
const CLICK_MS = 50;

/**
 * Returns handlers for long presses. Some phones' browsers report one as a context menu; for others it is timed. The
 * browser cancels the pointer when it scrolls, and a long press does not also count as a click.
 */
export function useHold(onHold: () => void) {
  const resting = useRef<AbortController>();
  const end = () => resting.current?.abort();
  const hold = () => {
    end();
    withoutClick();
    onHold();
  };
  const rest = async ({ signal }: AbortController) => {
    await clock.sleep(HOLD_MS, signal);
    if (!signal.aborted) hold();
  };
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      end();
      if (pointerType === 'touch') void rest((resting.current = new AbortController()));
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => {
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
      event.preventDefault();
      hold();
    },
  };
}

/** Stops the click that may follow the end of the present touch, wherever: a menu may have opened under the finger. */
function withoutClick(): void {
  const over = new AbortController();
  const { signal } = over;
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', stop, { capture: true, signal });
  addEventListener('pointerdown', () => over.abort(), { capture: true, signal });
  const release = () => void clock.sleep(CLICK_MS).then(() => over.abort());
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, { capture: true, signal });
}
