import { apiError } from '#kernel/errors';

// See protocol/bots#channel-rules.

export const WordsOrPattern = apiError({ message: 'A rule has either words or a pattern.' });
export const PatternRefused = apiError<Record<never, never>, { fault: string }>({
  message: ({ fault }) => `Bad regular expression: ${fault}`,
});
export const TooManyRules = apiError<Record<never, never>, { max: number }>({
  message: ({ max }) => `A channel can have at most ${max} rules.`,
});
export const RuleMissing = apiError({ status: 404, message: 'Rule does not exist.' });
