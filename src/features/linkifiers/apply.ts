import type { WireLinkifier } from './wire.ts';

/** A client's state about linkifiers. */
export interface LinkifiersState {
  readonly realm_linkifiers: readonly WireLinkifier[];
}

/** The state after a `realm_linkifiers` event, which contains all linkifiers. */
export function applyLinkifierEvent(_state: LinkifiersState, event: LinkifiersState): LinkifiersState {
  return { realm_linkifiers: event.realm_linkifiers };
}
