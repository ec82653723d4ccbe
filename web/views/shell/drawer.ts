import { signal } from '@preact/signals';

/** Whether the sidebar is open over the page, on phones. */
export const isDrawerOpen = signal(false);

export function openDrawer(): void {
  isDrawerOpen.value = true;
}
