// Pages of messages around an anchor, and single ones.
export { type Amounts, type Anchor, assertAnchorAtEnd, clamped, NEWEST, parseAnchor } from './anchor.ts';
export { anchorParam, fetchEndpoints, narrowParam } from './endpoints.ts';
export { findAround } from './fetch.ts';
export { toFullMessages } from './full.ts';
export { historyPolicy, visibleEdits } from './show.ts';
