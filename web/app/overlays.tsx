import { useEffect } from 'preact/hooks';
import { showNotice, useClient } from '../client/index.ts';
import { closeOverlay, type Overlay, overlay } from '../views/overlays/open.ts';
import { t } from '../words/index.ts';
import { Guard } from '../views/guard.tsx';
import { LazyView, lazy } from './lazy-view.tsx';

const overlays = lazy(async () => (await import('../views/lists.ts')).OverlayView);

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
