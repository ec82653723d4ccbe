import { signal } from '@preact/signals';

/** Whether the list of conversations lies over the page, on phones. */
export const isDrawerOpen = signal(false);

export function openDrawer(): void {
  isDrawerOpen.value = true;
}
