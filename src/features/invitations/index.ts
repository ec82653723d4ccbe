import { slice } from '#kernel/slice';
import { confirmationJob } from './confirm.ts';
import { invitationEndpoints } from './endpoints.ts';
import { invitesChanged } from './events.ts';
import { welcomeJob } from './join.ts';
import { invitationPages } from './pages/index.ts';
import { reminderJob } from './reminders.ts';
import { invitation, invitationDay } from './tables.ts';

export const invitations = slice({
  name: 'invitations',
  tables: [invitation, invitationDay],
  reads: ['realm'],
  endpoints: invitationEndpoints,
  pages: invitationPages,
  events: [invitesChanged],
  jobs: [confirmationJob, reminderJob, welcomeJob],
});

export { createInvitationLink, sendInvitations } from './actions.ts';
export { accountReason, addressReason } from './addresses.ts';
export { joinVerified } from './join.ts';
export { newKey } from './keys.ts';
export { revokeAbove, revokeAllOf } from './manage.ts';
