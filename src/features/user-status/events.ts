import { event } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import { bool, idOf, maybe, str } from '#kernel/schema';

/** Somebody changed their status; contains only what changed, "" for cleared. See protocol/status#shown. */
export const userStatusChanged = event({
  type: 'user_status',
  source: 'protocol/status#shown',
  payload: {
    user_id: idOf<UserId>(),
    away: maybe(bool()),
    status_text: maybe(str()),
    emoji_name: maybe(str()),
    emoji_code: maybe(str()),
    reaction_type: maybe(str()),
  },
  variesByViewer: ['hidden'],
  wire: (status, { hidden }) => (hidden?.has(status.user_id) ? [] : [status]),
});
