import { apiError } from '#kernel/errors';

/** Unknown, or somebody else's. See protocol/saved#snippets, check 3. */
export const SnippetMissing = apiError({ status: 404, message: 'Saved snippet does not exist.' });
