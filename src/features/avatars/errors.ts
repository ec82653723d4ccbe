import { apiError } from '#kernel/errors';

export const OneAvatar = apiError({ message: 'You must upload exactly one avatar.' });
export const AvatarChangesDisabled = apiError({ message: 'Avatar changes are disabled in this organization.' });
