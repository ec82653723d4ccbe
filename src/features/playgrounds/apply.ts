import type { WirePlayground } from './wire.ts';

/** A client's state about playgrounds. */
export interface PlaygroundsState {
  readonly realm_playgrounds: readonly WirePlayground[];
}

/** The state after a `realm_playgrounds` event, which contains all playgrounds. */
export function applyPlaygroundEvent(_state: PlaygroundsState, event: PlaygroundsState): PlaygroundsState {
  return { realm_playgrounds: event.realm_playgrounds };
}
