import { overlay } from '../views/overlays/open.ts';
import { LazyView } from './lazy-view.tsx';

const loadPalette = async () => (await import('../views/lists.ts')).PaletteView;
const loadKeys = async () => (await import('../views/lists.ts')).KeysHelp;

/** What lies over the page; loaded when it is first opened. */
export function Overlays() {
  const shown = overlay.value;
  if (shown === undefined) return null;
  if (shown === 'keys') return <LazyView key="keys" load={loadKeys} props={{}} />;
  return <LazyView key={shown} load={loadPalette} props={{ kind: shown }} />;
}
