import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { on } from '#kernel/slice';
import { type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import {
  accessChannelsByName,
  channelArchived,
  type ChannelRow,
  channelUpdated,
  DefaultPrivate,
} from '#features/channels';
import { assertListRoom } from '#features/realms';
import * as errors from './errors.ts';
import { defaultGroupsChanged } from './events.ts';
import * as rows from './queries.ts';
import { assertDefaultGroupName } from './rules.ts';
import type { DefaultGroupId, DefaultGroupRow } from './tables.ts';

/** Creates a group of default channels. See protocol/channels#default-channels. */
export async function addDefaultGroup(
  context: Context,
  actor: Actor,
  input: { readonly name: string; readonly description: string; readonly channels: readonly string[] },
): Promise<void> {
  const { name, description } = input;
  await change(context, actor, async (tx) => {
    const channels = await accessChannelsByName(tx, input.channels);
    assertFit(channels, name);
    assertDefaultGroupName(name);
    if (await rows.isNameTaken(tx, name)) throw errors.DefaultGroupNameTaken({ name });
    const id = await rows.insertDefaultGroup(tx, { realm_id: tx.realmId, name, description });
    await rows.insertChannels(
      tx,
      id,
      channels.map((channel) => channel.id),
    );
    return true;
  });
}

/** Changes a group's name or description; emits nothing if nothing differs. See protocol/channels#default-channels. */
export async function updateDefaultGroup(
  context: Context,
  actor: Actor,
  id: DefaultGroupId,
  wanted: { readonly name: string | undefined; readonly description: string | undefined },
): Promise<void> {
  await change(context, actor, async (tx) => {
    const group = await accessDefaultGroup(tx, id);
    const { name, description } = wanted;
    const isRenamed = name !== undefined && name !== group.name;
    if (isRenamed) {
      assertDefaultGroupName(name);
      if (await rows.isNameTaken(tx, name)) throw errors.DefaultGroupNameTaken({ name });
    }
    const isDescribed = description !== undefined && description !== group.description;
    const values = { ...(isRenamed && { name }), ...(isDescribed && { description }) };
    if (!isRenamed && !isDescribed) return false;
    await rows.setDefaultGroup(tx, id, values);
    return true;
  });
}

/** Deletes a group; its channels stay as they are. See protocol/channels#default-channels. */
export async function removeDefaultGroup(context: Context, actor: Actor, id: DefaultGroupId): Promise<void> {
  await change(context, actor, async (tx) => {
    await accessDefaultGroup(tx, id);
    await rows.deleteDefaultGroup(tx, id);
    return true;
  });
}

/**
 * Adds channels to a group, or removes them; if one is refused, nothing changes. See
 * protocol/channels#default-channels.
 */
export async function changeChannels(
  context: Context,
  actor: Actor,
  id: DefaultGroupId,
  wanted: { readonly op: 'add' | 'remove'; readonly channels: readonly string[] },
): Promise<void> {
  await change(context, actor, async (tx) => {
    const group = await accessDefaultGroup(tx, id);
    const channels = await accessChannelsByName(tx, wanted.channels);
    const present = await rows.channelsIn(tx, id);
    const ids = channels.map((channel) => channel.id);
    if (wanted.op === 'add') {
      assertFit(channels, group.name);
      assertAll(channels, (channel) => !present.has(channel.id), group, errors.AlreadyInGroup);
      await rows.insertChannels(tx, id, ids);
    } else {
      assertAll(channels, (channel) => present.has(channel.id), group, errors.NotInGroup);
      await rows.deleteChannels(tx, id, ids);
    }
    return channels.length > 0;
  });
}

/**
 * Makes a change in a transaction; `work` says whether something changed, which is announced to everybody but guests.
 */
async function change(context: Context, actor: Actor, work: (tx: ActorWriteTx) => Promise<boolean>): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const before = await rows.listDefaultGroups(tx);
    if (!(await work(tx))) return;
    const after = await rows.listDefaultGroups(tx);
    assertListRoom('groups of channels', after, before);
    tx.emit(defaultGroupsChanged({ default_stream_groups: after }));
  });
}

async function announce(tx: RealmWriteTx): Promise<void> {
  tx.emit(defaultGroupsChanged({ default_stream_groups: await rows.listDefaultGroups(tx) }));
}

async function accessDefaultGroup(tx: RealmReadTx, id: DefaultGroupId): Promise<DefaultGroupRow> {
  const group = await rows.findDefaultGroup(tx, id);
  if (!group) throw errors.DefaultGroupMissing({ id });
  return group;
}

/** New users get every default channel anyway, and may not know of a private one. */
function assertFit(channels: readonly ChannelRow[], group: string): void {
  for (const channel of channels) {
    if (channel.is_default) throw errors.IsDefaultChannel({ channel: channel.name, group });
    if (channel.invite_only) throw DefaultPrivate();
  }
}

function assertAll(
  channels: readonly ChannelRow[],
  isRight: (channel: ChannelRow) => boolean,
  group: DefaultGroupRow,
  fault: (facts: { channel: string; group: string }) => Error,
): void {
  const wrong = channels.find((channel) => !isRight(channel));
  if (wrong) throw fault({ channel: wrong.name, group: group.name });
}

async function forget(tx: RealmWriteTx, channel: ChannelRow): Promise<void> {
  if (await rows.deleteChannelEverywhere(tx, channel.id)) await announce(tx);
}

/** Channels that are archived or become private leave all groups. See protocol/channels#archiving. */
export const goneChannels = [
  on(channelArchived, (tx, { channel }) => forget(tx, channel)),
  on(channelUpdated, async (tx, { after }) => {
    if (after.invite_only) await forget(tx, after);
  }),
];

/**
 * Sends the groups to a user who is no longer a guest, and an empty list to one who became a guest: guests see no
 * groups.
 */
export async function announceDefaultGroupsTo(tx: RealmWriteTx, userId: UserId, isGuest: boolean): Promise<void> {
  const default_stream_groups = isGuest ? [] : [...(await rows.listDefaultGroups(tx))];
  tx.emit(defaultGroupsChanged({ default_stream_groups }, { audience: { users: [userId] } }));
}
