import { type Overlay, overlay } from '../views/overlays/open.ts';
import { LazyView } from './lazy-view.tsx';

const load = async () => (await import('../views/lists.ts')).OverlayView;

/** What lies over the page; loaded when it is first opened. */
export function Overlays() {
  const shown = overlay.value;
  if (shown === undefined) return null;
  return <LazyView key={nameOf(shown)} load={load} isQuiet props={{ shown }} />;
}

let opened = 0;
const names = new WeakMap<object, string>();

/** Another name for each opening, so that nothing of the one before is left. */
function nameOf(shown: NonNullable<Overlay>): string {
  if (typeof shown === 'string') return shown;
  const name = names.get(shown) ?? `overlay${++opened}`;
  names.set(shown, name);
  return name;
}
