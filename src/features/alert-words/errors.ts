import { apiError } from '#kernel/errors';
import { MAX_WORDS } from './rules.ts';

/** A user has more words than anybody needs. */
export const TooManyAlertWords = apiError({ message: `You can have at most ${MAX_WORDS} alert words.` });
