import { defineMigration } from '#kernel/store';

/** How many invitations an organization has sent on a day. */
export const invitationDays = defineMigration('2026-11-21T1030-invitation-days', async (m) => {
  await m.createTable(
    'invitation_day',
    { id: { type: 'id' }, realm_id: { type: 'int' }, invitation_day: { type: 'int' }, mail_count: { type: 'int' } },
    { unique: [['invitation_day', 'realm_id']] },
  );
});
