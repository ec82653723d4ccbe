import { event } from '#kernel/events';

/** The list of invitations has changed; clients read it again. Contract register 4.4.12. */
export const invitesChanged = event({
  type: 'invites_changed',
  source: 'contract operations 4.7, register 4.4.13',
  payload: {},
  stale: 'clients read the list of invitations when they show it',
});
