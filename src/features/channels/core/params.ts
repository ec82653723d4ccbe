import { json, lenient, optional, withDefault } from '#kernel/endpoint';
import { type UserId, recordOf } from '#kernel/ids';
import { groupSettingChange, groupSettingValue } from '#kernel/permissions';
import { anything, bool, idOf, oneOf } from '#kernel/schema';
import { InvalidFolderId, type FolderId } from '#features/channel-folders';
import { CHANNEL_SETTINGS, GROUP_VALUE_ERRORS } from '#features/groups';
import { DefaultChannelPrivate, InvalidParameters, NAME_ERRORS, WebPublicDisabled } from './errors.ts';

/** Names of the permissions, in the order in which parameters are decoded. */
const names = CHANNEL_SETTINGS.map((setting) => setting.name).toSorted();

/** The permissions of a channel that is made. */
export const settingParams = recordOf(names, () => optional(json(groupSettingValue)));

/** Changes of permissions. */
export const changeParams = recordOf(names, () => optional(json(groupSettingChange)));

/** How a channel treats the unnamed topic; accepted with and without quotes. See protocol/wire#parameters. */
export const topicsPolicy = lenient(
  oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
  'How the channel treats messages without a topic.',
);
/** Days, or a word; its own error is made where it is understood. See protocol/organizations#retention. */
export const retentionDays = lenient(anything({ max: 100 }), 'Days, `realm_default` or `unlimited`.');

/** Privacy and place of a channel that is made, in decoding order. See protocol/channels#creation-checks. */
export const placeParams = {
  folder_id: optional(json(idOf<FolderId>())),
  history_public_to_subscribers: optional(json(bool(), 'Whether new subscribers see what was said before.')),
  invite_only: withDefault(json(bool(), 'Private.'), false),
};

/** Most people one call may name. */
export const MAX_PEOPLE = 50_000;

/** Errors of making a channel. */
export const CREATION_ERRORS = [
  ...NAME_ERRORS,
  ...GROUP_VALUE_ERRORS,
  InvalidFolderId,
  DefaultChannelPrivate,
  WebPublicDisabled,
  InvalidParameters,
];

/** The ID of somebody. */
export const userIdShape = idOf<UserId>();
