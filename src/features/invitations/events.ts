import { event } from '#kernel/events';

/** The list of invitations changed; clients fetch it again. See protocol/events#organization. */
export const invitesChanged = event({
  type: 'invites_changed',
  source: 'protocol/events#organization',
  payload: {},
  stale: 'clients read the list of invitations when they show it',
});
