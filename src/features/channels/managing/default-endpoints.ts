import { endpoint, everyone, json } from '#kernel/endpoint';
import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import { idOf } from '#kernel/schema';
import { accessChannel } from '../members/index.ts';
import { announceDefaults } from '../creating/index.ts';
import { DefaultPrivate, DefaultsNotAllowed, InvalidChannelId, setChannel } from '../core/index.ts';

const stream_id = json(idOf<ChannelId>());

const addDefault = endpoint({
  id: 'add-default-channel',
  method: 'POST',
  path: '/default_streams',
  source: 'protocol/channels#default-channels',
  doc: 'Adds a channel to the default channels, to which new accounts are subscribed.',
  who: everyone,
  params: { stream_id },
  returns: {},
  fails: [DefaultsNotAllowed, DefaultPrivate, InvalidChannelId],
  async run({ actor, params, context }) {
    await setDefault(context, actor, params.stream_id, true);
    return {};
  },
});

const removeDefault = endpoint({
  id: 'remove-default-channel',
  method: 'DELETE',
  path: '/default_streams',
  source: 'protocol/channels#default-channels',
  doc: 'Removes a channel from the default channels.',
  who: everyone,
  params: { stream_id },
  returns: {},
  fails: [DefaultsNotAllowed, InvalidChannelId],
  async run({ actor, params, context }) {
    await setDefault(context, actor, params.stream_id, false);
    return {};
  },
});

async function setDefault(context: Context, actor: Actor, id: ChannelId, isDefault: boolean): Promise<void> {
  if (!isAdministrator(actor)) throw DefaultsNotAllowed();
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessChannel(tx, id);
    if (channel.is_archived) throw InvalidChannelId();
    if (isDefault && channel.invite_only) throw DefaultPrivate();
    if (channel.is_default === isDefault) return;
    await setChannel(tx, id, { is_default: isDefault });
    await announceDefaults(tx);
  });
}

export const defaultEndpoints = [addDefault, removeDefault];
