import { type FolderId, InvalidFolderId } from '#features/channel-folders';
import { CHANNEL_SETTINGS, GROUP_VALUE_ERRORS } from '#features/groups';
import { json, lenient, optional, withDefault } from '#kernel/endpoint';
import { ParameterInvalid, ParametersIncompatible } from '#kernel/errors';
import { recordOf, type UserId } from '#kernel/ids';
import { groupSettingChange, newGroupSettingValue } from '#kernel/permissions';
import { anything, bool, idOf, oneOf } from '#kernel/schema';
import { codePointLength, unprintablePosition } from '#kernel/text';
import {
  ChannelNameBlank,
  ChannelNameCharacter,
  ChannelNameTooLong,
  DefaultChannelPrivate,
  InvalidParameters,
  NAME_ERRORS,
  WebPublicDisabled,
  TooManyChannels,
} from './errors.ts';

/** Names of the permissions, in the order in which parameters are decoded. */
const names = CHANNEL_SETTINGS.map((setting) => setting.name).toSorted();

/** Permissions that a request sets on a new channel. */
export const settingParams = recordOf(names, () => optional(json(newGroupSettingValue)));

/** Changes of permissions. */
export const changeParams = recordOf(names, () => optional(json(groupSettingChange)));

/** How a channel treats the unnamed topic; accepted with and without quotes. See protocol/wire#parameters. */
export const topicsPolicy = lenient(
  oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
  'How the channel treats messages without a topic.',
);
/** Days, or a word; `parseRetention` checks it and has its own error. See protocol/organizations#retention. */
export const retentionDays = lenient(anything({ max: 100 }), 'Days, `realm_default` or `unlimited`.');

/** Privacy and folder of a new channel, in decoding order. See protocol/channels#creation-checks. */
export const placeParams = {
  folder_id: optional(json(idOf<FolderId>())),
  history_public_to_subscribers: optional(json(bool(), 'Whether new subscribers see what was said before.')),
  invite_only: withDefault(json(bool(), 'Private.'), false),
};

/** Most people one call may name. */
export const MAX_PEOPLE = 50_000;

/** Errors of creating a channel. */
export const CREATION_ERRORS = [
  ...NAME_ERRORS,
  ...GROUP_VALUE_ERRORS,
  InvalidFolderId,
  DefaultChannelPrivate,
  WebPublicDisabled,
  InvalidParameters,
  ParameterInvalid,
  ParametersIncompatible,
  TooManyChannels,
];

/** A user's ID. */
export const userIdShape = idOf<UserId>();

/** Longest channel name, in code points. See protocol/channels#names. */
const MAX_CHANNEL_NAME = 60;
/** Longest channel description, in code points. See protocol/channels#names. */
export const MAX_CHANNEL_DESCRIPTION = 1024;

/** Throws unless a (trimmed) name is one a channel may have. See protocol/channels#names. */
export function assertChannelName(name: string): void {
  if (name === '') throw ChannelNameBlank();
  if (codePointLength(name) > MAX_CHANNEL_NAME) throw ChannelNameTooLong();
  const position = unprintablePosition(name);
  if (position > 0) throw ChannelNameCharacter({ position });
}

/** Channel descriptions have no line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** Stored for messages that are never deleted. */
const KEEP_FOR_EVER = -1;

/**
 * Days that messages are kept: null for the organization's setting, -1 for ever. Throws the parameter's own error for
 * anything but a positive whole number and the two words. See protocol/organizations#retention.
 */
export function parseRetention(value: unknown): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return KEEP_FOR_EVER;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_DAYS) return value;
  throw ParameterInvalid({ var_name: 'message_retention_days', bad_value: value });
}

/** Most days the database can count with. */
const MAX_DAYS = 2_147_483_647;
