import { administrators, endpoint, json, optional, path, raw } from '#kernel/endpoint';
import { idOf, list, text } from '#kernel/schema';
import { DefaultPrivate, InvalidChannelName } from '#features/channels';
import { ListFull } from '#features/realms';
import { addDefaultGroup, changeChannels, removeDefaultGroup, updateDefaultGroup } from './actions.ts';
import * as errors from './errors.ts';
import type { DefaultGroupId } from './tables.ts';

/** Longest description, in code points; the same as for channels. See protocol/channels#default-channels. */
const MAX_DESCRIPTION = 1024;
/** Most channels in one request. */
const MAX_CHANNELS = 1000;

const source = 'protocol/channels#default-channels';
const group_id = path(idOf<DefaultGroupId>());
const description = raw(text({ max: MAX_DESCRIPTION }));
const name = raw(text({ trim: true, nul: 'allowed' }));
const stream_names = json(list(text({ nul: 'allowed' }), { max: MAX_CHANNELS }), 'Names of channels.');
const NAME_ERRORS = [
  errors.InvalidDefaultGroupName,
  errors.DefaultGroupNameTooLong,
  errors.DefaultGroupNameTaken,
  ListFull,
];
const CHANNEL_ERRORS = [InvalidChannelName, errors.IsDefaultChannel, DefaultPrivate];

const create = endpoint({
  id: 'create-default-channel-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  source,
  doc: 'Makes a group of default channels, which new people can choose together.',
  who: administrators,
  params: { description, group_name: name, stream_names },
  returns: {},
  fails: [...NAME_ERRORS, ...CHANNEL_ERRORS],
  async run({ actor, params, context }) {
    const input = { name: params.group_name, description: params.description, channels: params.stream_names };
    await addDefaultGroup(context, actor, input);
    return {};
  },
});

const update = endpoint({
  id: 'update-default-channel-group',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  source,
  doc: 'Changes the name or the description of a group of default channels.',
  who: administrators,
  params: { group_id, new_description: optional(description), new_group_name: optional(name) },
  returns: {},
  fails: [errors.NothingToChange, errors.DefaultGroupMissing, ...NAME_ERRORS],
  async run({ actor, params, context }) {
    const { new_description, new_group_name } = params;
    if (!new_description && !new_group_name) throw errors.NothingToChange();
    const wanted = { name: new_group_name || undefined, description: new_description };
    await updateDefaultGroup(context, actor, params.group_id, wanted);
    return {};
  },
});

const remove = endpoint({
  id: 'remove-default-channel-group',
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  source,
  doc: 'Deletes a group of default channels; the channels stay.',
  who: administrators,
  params: { group_id },
  returns: {},
  fails: [errors.DefaultGroupMissing],
  async run({ actor, params, context }) {
    await removeDefaultGroup(context, actor, params.group_id);
    return {};
  },
});

const updateChannels = endpoint({
  id: 'update-default-channel-group-channels',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  source,
  doc: 'Adds channels to a group of default channels, or removes them from it.',
  who: administrators,
  params: { group_id, op: raw(text(), '`add` or `remove`.'), stream_names },
  returns: {},
  fails: [
    errors.InvalidOperation,
    errors.DefaultGroupMissing,
    ...CHANNEL_ERRORS,
    errors.AlreadyInGroup,
    ListFull,
    errors.NotInGroup,
  ],
  async run({ actor, params, context }) {
    const { op } = params;
    if (op !== 'add' && op !== 'remove') throw errors.InvalidOperation();
    await changeChannels(context, actor, params.group_id, { op, channels: params.stream_names });
    return {};
  },
});

export const defaultGroupEndpoints = [create, update, remove, updateChannels];
