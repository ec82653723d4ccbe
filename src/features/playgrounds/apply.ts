import type { WirePlayground } from './wire.ts';

/** What a client keeps of playgrounds. */
export interface PlaygroundsState {
  readonly realm_playgrounds: readonly WirePlayground[];
}

/** How a `realm_playgrounds` event changes what a client keeps: it brings all of them. */
export function applyPlaygroundEvent(_state: PlaygroundsState, event: PlaygroundsState): PlaygroundsState {
  return { realm_playgrounds: event.realm_playgrounds };
}
