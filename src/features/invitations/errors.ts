import { apiError } from '#kernel/errors';

/** Has no code, unlike the same error of administrators' operations. See protocol/invitations#checks, check 5. */
export const AdministratorNeeded = apiError({ message: 'Must be an organization administrator' });
export const NoEmails = apiError({ message: 'You must specify at least one email address.' });
export const TooManyEmails = apiError<Record<never, never>, { most: number }>({
  message: (e) => `You can invite at most ${e.most} people at once.`,
});
export const InvalidInviteChannel = apiError<Record<never, never>, { id: number }>({
  message: (e) => `Invalid channel ID ${e.id}. No invites were sent.`,
});
export const MayNotSubscribeOthers = apiError({
  message: 'You do not have permission to subscribe other users to channels.',
});
export const InvalidInviteGroup = apiError({ message: 'Invalid user group' });
export const InviteGroupDeactivated = apiError({ message: 'User group is deactivated.' });
export const NoSuchInvitation = apiError({ message: 'No such invitation' });
export const InvitationRevoked = apiError({ message: 'Invitation has already been revoked' });

/** Some or all invitations were not sent. See protocol/invitations#checks, checks 11 to 16. */
export const InvitationFailed = apiError<
  {
    errors: 'objects';
    sent_invitations: 'boolean';
    license_limit_reached: 'boolean';
    daily_limit_reached: 'boolean';
  },
  { text: string }
>({
  code: 'INVITATION_FAILED',
  extra: {
    errors: 'objects',
    sent_invitations: 'boolean',
    license_limit_reached: 'boolean',
    daily_limit_reached: 'boolean',
  },
  message: (e) => e.text,
});
