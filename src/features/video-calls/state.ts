import { hasActor } from '#kernel/auth';
import { bool } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { findSealedGrant } from './queries.ts';

/** Whether the caller has connected a Zoom account. See protocol/organizations#zoom. */
export const zoomTokenState = registerState({
  fetchType: 'video_calls',
  source: 'protocol/register#own-collections',
  fields: { has_zoom_token: bool() },
  read: async ({ tx }) => ({
    has_zoom_token: hasActor(tx) && (await findSealedGrant(tx)) !== undefined,
  }),
});
