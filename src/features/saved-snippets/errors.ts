import { apiError } from '#kernel/errors';

/** Unknown, or somebody else's. Contract operations 4.16, check 3. */
export const SnippetMissing = apiError({ status: 404, message: 'Saved snippet does not exist.' });
