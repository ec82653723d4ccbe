import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Route } from '../addresses/index.ts';
import { showNotice, useClient } from '../client/index.ts';
import { closeOverlay, type Overlay, overlay } from '../views/overlays/open.ts';
import { t } from '../words/index.ts';
import { Guard } from '../views/guard.tsx';
import { LazyView, lazy } from './lazy-view.tsx';

const overlays = lazy(async () => (await import('../views/lists.ts')).OverlayView);

/**
 * Opens the dialog of the two addresses that have one, over the home view. Closes what was open over the previous view,
 * but not what was opened when the address had changed and the view had not followed yet: that is meant for the new one.
 */
export function useOverlayOf(there: Route): void {
  const openedAt = useRef('');
  useLayoutEffect(() => overlay.subscribe(() => void (openedAt.current = location.hash)), []);
  useLayoutEffect(() => {
    if (there.view === 'keyboard') overlay.value = 'keys';
    else if (there.view === 'about') overlay.value = 'about';
    else if (openedAt.current !== location.hash) overlay.value = undefined;
  }, [there]);
}

/** Closes an overlay that fails and says so; the page under it goes on. */
export function OverlaysGuarded() {
  const shown = overlay.value;
  return (
    <Guard of={shown} instead={() => <Failed />}>
      <Overlays />
    </Guard>
  );
}

function Failed() {
  const client = useClient();
  useEffect(() => {
    closeOverlay();
    showNotice(client, t('view.failed'));
  }, [client]);
  return null;
}

/** The open overlay; its code is loaded when one is first opened. */
function Overlays() {
  const shown = overlay.value;
  if (shown === undefined) return null;
  return <LazyView key={nameOf(shown)} view={overlays} isQuiet props={{ shown }} instead={<Failed />} />;
}

let opened = 0;
const names = new WeakMap<object, string>();

/** Returns another key for each opening, so that no state of the previous one remains. */
function nameOf(shown: NonNullable<Overlay>): string {
  if (typeof shown === 'string') return shown;
  const name = names.get(shown) ?? `overlay${++opened}`;
  names.set(shown, name);
  return name;
}
