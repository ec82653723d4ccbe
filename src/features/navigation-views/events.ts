import { event } from '#kernel/events';
import { bool, maybe, object, str } from '#kernel/schema';
import { wireView } from './wire.ts';

const source = 'protocol/events#own-data';

/** Somebody added a view. */
export const viewAdded = event({ type: 'navigation_view', op: 'add', source, payload: { navigation_view: wireView } });

/** Somebody changed a view; `data` contains the changes. */
export const viewUpdated = event({
  type: 'navigation_view',
  op: 'update',
  source,
  payload: { fragment: str(), data: object({ is_pinned: maybe(bool()), name: maybe(str()) }) },
});

/** Somebody deleted a view. */
export const viewRemoved = event({ type: 'navigation_view', op: 'remove', source, payload: { fragment: str() } });

export const viewEvents = [viewAdded, viewUpdated, viewRemoved];
