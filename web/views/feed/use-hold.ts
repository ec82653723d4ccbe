import { useRef } from 'preact/hooks';
import type { Clock } from '../../api/index.ts';

/** Milliseconds after which a touch is a long press. */
const HOLD_MS = 500;

/**
 * Returns handlers for long presses. Some phones' browsers report one as a context menu; for others it is timed. The
 * browser cancels the pointer when it scrolls, and a long press does not also count as a click.
 */
export function useHold(onHold: () => void, clock: Clock) {
  const resting = useRef<AbortController>();
  const isHeld = useRef(false);
  const end = () => resting.current?.abort();
  const hold = () => {
    end();
    isHeld.current = true;
    onHold();
  };
  const rest = async ({ signal }: AbortController) => {
    await clock.sleep(HOLD_MS, signal);
    if (!signal.aborted) hold();
  };
  return {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      end();
      isHeld.current = false;
      if (pointerType === 'touch') void rest((resting.current = new AbortController()));
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: MouseEvent) => {
      if (!isHeld.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onContextMenu: (event: MouseEvent) => {
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
      event.preventDefault();
      hold();
    },
  };
}
