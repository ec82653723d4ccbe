import { apiError } from '#kernel/errors';

export const OneIcon = apiError({ message: 'You must upload exactly one icon.' });
export const OneLogo = apiError({ message: 'You must upload exactly one logo.' });
