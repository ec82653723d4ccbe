import { apiError } from '#kernel/errors';

/** Nobody mutes themself. See protocol/users#operations. */
export const CannotMuteSelf = apiError({ message: 'Cannot mute self' });
/** Muted before. See protocol/users#operations. */
export const AlreadyMuted = apiError({ message: 'User already muted' });
/** Not muted. See protocol/users#operations. */
export const NotMuted = apiError({ message: 'User is not muted' });
