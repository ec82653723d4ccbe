import { apiError } from '#kernel/errors';

/** The snippet does not exist, or belongs to somebody else. See protocol/saved#snippets, check 3. */
export const SnippetMissing = apiError({ status: 404, message: 'Saved snippet does not exist.' });
