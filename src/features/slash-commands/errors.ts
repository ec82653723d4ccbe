import { apiError } from '#kernel/errors';

export const SlashMissing = apiError({ message: 'There should be a leading slash in the zcommand.' });
export const NoSuchCommand = apiError<Record<never, never>, { command: string }>({
  message: (e) => `No such command: ${e.command}`,
});
