import type { WireLinkifier } from './wire.ts';

/** What a client keeps of linkifiers. */
export interface LinkifiersState {
  readonly realm_linkifiers: readonly WireLinkifier[];
}

/** How a `realm_linkifiers` event changes what a client keeps: it brings all of them. */
export function applyLinkifierEvent(_state: LinkifiersState, event: LinkifiersState): LinkifiersState {
  return { realm_linkifiers: event.realm_linkifiers };
}
