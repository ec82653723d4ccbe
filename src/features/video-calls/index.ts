import { applier, slice } from '#kernel/slice';
import { applyZoomTokenEvent } from './apply.ts';
import { videoCallEndpoints } from './endpoints.ts';
import { zoomTokenChanged } from './events.ts';
import { joinPage } from './bigbluebutton.ts';
import { zoomTokenState } from './state.ts';
import { zoomGrant } from './tables.ts';
import { zoomPages } from './zoom/index.ts';

export const videoCalls = slice({
  name: 'video-calls',
  tables: [zoomGrant],
  endpoints: videoCallEndpoints,
  pages: [joinPage, ...zoomPages],
  events: [zoomTokenChanged],
  state: [zoomTokenState],
  applies: [applier(['has_zoom_token'], ['has_zoom_token'], applyZoomTokenEvent)],
});
