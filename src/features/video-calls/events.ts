import { event } from '#kernel/events';
import { bool } from '#kernel/schema';

/** Somebody connected a Zoom account, or it was disconnected. See protocol/events#own-data. */
export const zoomTokenChanged = event({
  type: 'has_zoom_token',
  source: 'protocol/events#own-data',
  payload: { value: bool() },
});
