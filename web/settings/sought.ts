import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';

const CONTROLS = ':is(input, select, textarea, button):enabled, a[href]';

/** Label of the setting that the address names. */
const Sought = createContext<string | undefined>(undefined);
export const SoughtProvider = Sought.Provider;

/**
 * If the address names the setting with this label, brings its element into view, marks it, and focuses its control or,
 * where there is none to change, the element.
 */
export function useSought<E extends HTMLElement>(label: string) {
  const isSought = useContext(Sought) === label;
  const ref = useRef<E>(null);
  // After the page's layout effect, which shows a page from its top.
  useEffect(() => {
    if (!isSought) return;
    const element = ref.current;
    element?.scrollIntoView({ block: 'center' });
    (element?.querySelector<HTMLElement>(CONTROLS) ?? element)?.focus({ preventScroll: true });
  }, [isSought]);
  return { ref, tabIndex: isSought ? -1 : undefined, 'data-sought': isSought ? '' : undefined };
}
