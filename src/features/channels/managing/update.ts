import { storeValue } from '#features/groups';
import { renderMarkdown } from '#features/rendering';
import type { Actor, RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lockLog } from '#kernel/events';
import type { ChannelId } from '#kernel/ids';
import { foldCase } from '#kernel/text';
import {
  AlreadyArchived,
  channelArchived,
  type ChannelRow,
  channelUpdated,
  oneLine,
  powersOf,
  setChannel,
} from '../core/index.ts';
import { announceDefaults } from '../creating/index.ts';
import { channelChanged, channelDeleted } from '../events.ts';
import { accessToAdminister, knowersOf } from '../members/index.ts';
import { announceUpdate } from './announce-update.ts';
import { type SettingChange, settingChanges } from './change-settings.ts';
import { planUpdate, type UpdateInput } from './plan-update.ts';
import { changesVisibility, whoKnows } from './visibility.ts';

/**
 * Changes a channel: everything is checked in the order of protocol/channels#update-checks and then applied at once.
 * Admins and channel administrators only. See protocol/channels#update-parameters.
 */
export async function updateChannel(
  context: Context,
  actor: Actor,
  sent: UpdateInput & { readonly stream_id: ChannelId },
): Promise<void> {
  const input = sent.description === undefined ? sent : { ...sent, description: oneLine(sent.description) };
  const rendered =
    input.description === undefined ? undefined : (await renderMarkdown(context, actor.realm, input.description)).html;
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const powers = await powersOf(tx);
    const { channel, access } = await accessToAdminister(tx, powers, sent.stream_id);
    const update = { context, tx, realm: actor.realm, powers, channel, access };
    const planned = await planUpdate(update, input);
    const settings = await settingChanges(update, input, planned.isProtected);
    const patch = rendered === undefined ? planned.patch : { ...planned.patch, rendered_description: rendered };
    const seenBy = changesVisibility(channel, patch, settings)
      ? (await whoKnows(tx, [channel])).get(channel.id)
      : undefined;
    const after = await store(tx, channel, patch, settings);
    await announceUpdate(tx, { realm: actor.realm, before: channel, after, settings, seenBy, input });
    await channelUpdated.send(tx, { before: channel, after, settings }, context);
  });
}

async function store(
  tx: RealmRefWriteTx,
  channel: ChannelRow,
  patch: Partial<ChannelRow>,
  settings: readonly SettingChange[],
): Promise<ChannelRow> {
  let values: Partial<ChannelRow> = patch;
  for (const { name, value } of settings) values = { ...values, [name]: await storeValue(tx, value, channel[name]) };
  const columns = values.name === undefined ? values : { ...values, name_key: foldCase(values.name) };
  if (Object.keys(columns).length > 0) await setChannel(tx, channel.id, columns);
  return { ...channel, ...columns };
}

/** Archives a channel: it keeps name, subscriptions, settings and messages. See protocol/channels#archiving. */
export async function archiveChannel(context: Context, actor: Actor, id: ChannelId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const { channel } = await accessToAdminister(tx, await powersOf(tx), id);
    if (channel.is_archived) throw AlreadyArchived();
    await setChannel(tx, id, { is_archived: true, is_default: false });
    if (channel.is_default) await announceDefaults(tx);
    // Other slices drop their references to the channel before clients drop the channel (protocol/events#order).
    await channelArchived.send(tx, { channel: { ...channel, is_archived: true } }, context);
    const audience = await knowersOf(tx, channel);
    const { name } = channel;
    const before = { is_archived: false };
    tx.emit(channelChanged({ stream_id: id, name, property: 'is_archived', value: true }, { audience, before }));
    const gone = { stream_ids: [id], streams: [{ stream_id: id }], for_archiving: true };
    tx.emit(channelDeleted(gone, { audience }));
  });
}
