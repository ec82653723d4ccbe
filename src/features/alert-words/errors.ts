import { apiError } from '#kernel/errors';
import { MAX_WORDS } from './rules.ts';

export const TooManyAlertWords = apiError({ message: `You can have at most ${MAX_WORDS} alert words.` });
