import { MAX_DEVICE_KEYS } from '#kernel/auth';
import { apiError } from '#kernel/errors';

export const NoSuchKey = apiError({ message: 'No such API key.' });
export const TooManyKeys = apiError({ message: `You have ${MAX_DEVICE_KEYS} API keys already. Revoke one first.` });
