import { signal } from '@preact/signals';

/** What lies over the page. */
export type Overlay = 'palette' | 'people' | 'search' | 'keys' | undefined;

export const overlay = signal<Overlay>(undefined);

export function closeOverlay(): void {
  overlay.value = undefined;
}
