import { apiError } from '#kernel/errors';

/** Users cannot mute themselves. See protocol/users#operations. */
export const CannotMuteSelf = apiError({ message: 'Cannot mute self' });
/** The user is muted already. See protocol/users#operations. */
export const AlreadyMuted = apiError({ message: 'User already muted' });
/** The user is not muted. See protocol/users#operations. */
export const NotMuted = apiError({ message: 'User is not muted' });
