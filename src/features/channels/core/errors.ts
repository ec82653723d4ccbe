import { apiError } from '#kernel/errors';

/** The channel does not exist, or the caller may not know of it: the answer is the same. */
export const InvalidChannelId = apiError({ message: 'Invalid channel ID' });
export const InvalidChannelName = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Invalid channel name '${e.name}'`,
});
export const ChannelNameBlank = apiError({ message: "Channel name can't be empty." });
export const ChannelNameTooLong = apiError({ message: 'Channel name too long (limit: 60 characters).' });
export const ChannelNameCharacter = apiError<Record<never, never>, { position: number }>({
  message: (e) => `Invalid character in channel name, at position ${e.position}.`,
});
export const ChannelExists = apiError({
  code: 'CHANNEL_ALREADY_EXISTS',
  status: 409,
  extra: { channel_name: 'string' },
  message: (e) => `Channel '${e.channel_name}' already exists`,
});
export const UnableToAccessChannel = apiError<Record<never, never>, { name: string }>({
  message: (e) => `Unable to access channel (${e.name}).`,
});
/**
 * Most channels in use, and most that a person who is not an administrator creates in a day, because everybody receives
 * all of them.
 */
export const MAX_CHANNELS = 50_000;
export const MAX_CHANNELS_A_DAY = 2000;
export const TooManyChannels = apiError({
  message: `There can be at most ${MAX_CHANNELS} channels, and people who are no administrators can create ${MAX_CHANNELS_A_DAY} a day.`,
});
export const UserIsDeactivated = apiError({ message: 'User is deactivated' });
export const DefaultChannelPrivate = apiError({ message: 'A default channel cannot be private.' });
export const WebPublicDisabled = apiError({ message: 'Web-public channels are not enabled.' });
export const SubscribersUnavailable = apiError({ message: 'Subscriber data is not available for this channel' });
export const InvalidParameters = apiError({ message: 'Invalid parameters' });
export const AdministrationNotAllowed = apiError({
  message: 'You do not have permission to administer this channel.',
});
export const ModerationChannelPublic = apiError({ message: 'Moderation request channel must be private.' });
export const ContentAccessRequired = apiError({ message: 'Channel content access is required.' });
export const DefaultsNotAllowed = apiError({ message: 'You do not have permission to change default channels.' });
export const DefaultPrivate = apiError({ message: 'Private channels cannot be made default.' });
export const NotArchived = apiError({ message: 'Channel is not currently deactivated' });
export const AlreadyArchived = apiError({ message: 'Channel is already deactivated' });
export const ArchivedWithoutSubscribers = apiError({ message: 'Channel is private and have no subscribers' });
export const SameName = apiError({ message: 'Channel already has that name.' });
export const TopicsInUse = apiError({
  extra: { empty_topic_display_name: 'string' },
  message: (e) =>
    `To enable this configuration, all messages in this channel must be in the ${e.empty_topic_display_name} topic. ` +
    'Consider renaming or deleting other topics.',
});

/** Names a channel cannot have. See protocol/channels#names. */
export const NAME_ERRORS = [ChannelNameBlank, ChannelNameTooLong, ChannelNameCharacter];
