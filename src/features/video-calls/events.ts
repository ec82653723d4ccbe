import { event } from '#kernel/events';
import { bool } from '#kernel/schema';

/** Somebody has connected a Zoom account, or has none connected any more. See protocol/events#own-data. */
export const zoomTokenChanged = event({
  type: 'has_zoom_token',
  source: 'protocol/events#own-data',
  payload: { value: bool() },
});
