import { apiError } from '#kernel/errors';

/** Nobody mutes themself. Contract surrounding 2.6.3. */
export const CannotMuteSelf = apiError({ message: 'Cannot mute self' });
/** Muted before. Contract surrounding 2.6.3. */
export const AlreadyMuted = apiError({ message: 'User already muted' });
/** Not muted. Contract surrounding 2.6.3. */
export const NotMuted = apiError({ message: 'User is not muted' });
