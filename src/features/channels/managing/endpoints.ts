import { endpoint, everyone, json, members, optional, path, raw, withDefault } from '#kernel/endpoint';
import type { ChannelId } from '#kernel/ids';
import { bool, idOf, list, nullable, text } from '#kernel/schema';
import type { FolderId } from '#features/channel-folders';
import { NoSuchUser } from '#features/users';
import { addChannel } from './add-channel.ts';
import { archiveChannel, updateChannel } from './update.ts';
import { channelErrors as errors } from '../core/index.ts';
import {
  changeParams,
  CREATION_ERRORS,
  MAX_CHANNEL_DESCRIPTION,
  MAX_PEOPLE,
  placeParams,
  retentionDays,
  settingParams,
  topicsPolicy,
  userIdShape,
} from '../core/index.ts';

const createChannel = endpoint({
  id: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  source: 'protocol/channels#creating',
  since: 417,
  doc: 'Makes a channel and subscribes people to it.',
  who: members,
  params: {
    announce: withDefault(json(bool()), false),
    ...settingParams,
    description: withDefault(raw(text({ max: MAX_CHANNEL_DESCRIPTION })), ''),
    ...placeParams,
    is_web_public: withDefault(json(bool()), false),
    is_default_stream: withDefault(json(bool()), false),
    message_retention_days: withDefault(retentionDays, 'realm_default'),
    name: raw(text({ min: 1, trim: true, nul: 'allowed' })),
    subscribers: json(list(userIdShape, { max: MAX_PEOPLE })),
    topics_policy: withDefault(topicsPolicy, 'inherit' as const),
  },
  returns: { id: idOf<ChannelId>() },
  fails: [...CREATION_ERRORS, errors.ChannelExists, NoSuchUser, errors.UserIsDeactivated],
  async run({ actor, params, context }) {
    const channel = await addChannel(context, actor, params);
    return { id: channel.id };
  },
});

const updateChannelEndpoint = endpoint({
  id: 'update-channel',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  source: 'protocol/channels#update-parameters',
  doc: 'Changes a channel: name, description, privacy, folder, policies and permissions; or unarchives it.',
  who: everyone,
  params: {
    stream_id: path(idOf<ChannelId>()),
    ...changeParams,
    description: optional(raw(text({ max: MAX_CHANNEL_DESCRIPTION }))),
    folder_id: optional(json(nullable(idOf<FolderId>()), 'Null takes it out of its folder.')),
    history_public_to_subscribers: optional(json(bool())),
    is_archived: optional(json(bool(), 'Only false has an effect.')),
    is_default_stream: optional(json(bool())),
    is_private: optional(json(bool())),
    is_web_public: optional(json(bool())),
    message_retention_days: optional(retentionDays),
    new_name: optional(raw(text({ trim: true, nul: 'allowed' }))),
    topics_policy: optional(topicsPolicy),
  },
  returns: {},
  fails: [
    ...CREATION_ERRORS,
    errors.InvalidChannelId,
    errors.AdministrationNotAllowed,
    errors.ModerationChannelPublic,
    errors.ContentAccessRequired,
    errors.DefaultsNotAllowed,
    errors.NotArchived,
    errors.ArchivedWithoutSubscribers,
    errors.SameName,
    errors.ChannelExists,
    errors.TopicsInUse,
  ],
  async run({ actor, params, context }) {
    await updateChannel(context, actor, params);
    return {};
  },
});

const archiveChannelEndpoint = endpoint({
  id: 'archive-channel',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  source: 'protocol/channels#archiving',
  doc: 'Archives a channel; its messages and subscriptions stay.',
  who: everyone,
  params: { stream_id: path(idOf<ChannelId>()) },
  returns: {},
  fails: [errors.InvalidChannelId, errors.AdministrationNotAllowed, errors.AlreadyArchived],
  async run({ actor, params, context }) {
    await archiveChannel(context, actor, params.stream_id);
    return {};
  },
});

export const manageEndpoints = [createChannel, updateChannelEndpoint, archiveChannelEndpoint];
