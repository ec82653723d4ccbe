import { apiError } from '#kernel/errors';

export const BadNameOrUsername = apiError({ message: 'Bad name or username' });
/** An invalid name; the text says why. See protocol/users#names. */
export const NameFault = apiError<Record<never, never>, { fault: string }>({ message: (e) => e.fault });
export const UsernameTaken = apiError({ message: 'Username already in use' });
export const NameTaken = apiError({ message: 'Name is already in use!' });
export const EmbeddedBotsDisabled = apiError({ message: 'Embedded bots are not enabled.' });
export const InvalidBotType = apiError({ message: 'Invalid bot type' });
export const InvalidInterface = apiError({ message: 'Invalid interface type' });
export const OneFileAtATime = apiError({ message: 'You may only upload one file at a time' });
export const InvalidChannelName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid channel name '${e.name}'`,
});
export const InvalidIntegration = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid integration '${e.name}'.`,
});
/** The ID is unknown, or it is that of a person or of a system bot. */
export const NoSuchBot = apiError({ message: 'No such bot' });
/** The bot is not an outgoing webhook. */
export const NoSuchWebhook = apiError({ message: 'Not an outgoing webhook bot' });
export const NoSuchBotOwner = apiError({ message: 'Failed to change owner, no such user' });
export const BotOwnerDeactivated = apiError({ message: 'Failed to change owner, user is deactivated' });
export const BotOwnerIsBot = apiError({ message: "Failed to change owner, bots can't own other bots" });
export const InvalidRole = apiError({ message: 'Invalid role' });
