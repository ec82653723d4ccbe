import { apiError } from '#kernel/errors';

// See protocol/bots#commands.

export const InvalidCommandName = apiError({ message: 'Invalid command name' });
export const CommandTaken = apiError<Record<never, never>, { name: string }>({
  message: ({ name }) => `Command '/${name}' already exists.`,
});
export const TooManyCommands = apiError<Record<never, never>, { max: number }>({
  message: ({ max }) => `There can be at most ${max} commands.`,
});
export const CommandMissing = apiError({ status: 404, message: 'Command does not exist.' });
