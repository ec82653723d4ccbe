import type { Bus } from './bus.ts';

/** The bus of a process that serves its database alone. */
export const localBus: Bus = {
  isShared: false,
  isConnected: true,
  publish: () => undefined,
  subscribe: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
