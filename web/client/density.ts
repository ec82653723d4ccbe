import { signal } from '@preact/signals';

export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

const SHELF = 'roost-density';

/** How close things stand. The API has no place for it: each browser keeps its own. */
export const density = signal<Density>(kept());

/** Another tab may have changed it. */
export function readDensity(): void {
  density.value = kept();
}

export function setDensity(value: Density): void {
  density.value = value;
  try {
    localStorage.setItem(SHELF, value);
  } catch {
    // It holds until the page is left.
  }
}

function kept(): Density {
  try {
    return localStorage.getItem(SHELF) === 'compact' ? 'compact' : 'comfortable';
  } catch {
    return 'comfortable';
  }
}
