import { record } from '#kernel/audit';
import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import { type ChannelId, recordOf, type UserId } from '#kernel/ids';
import { inTurn } from '#kernel/lists';
import type { GroupSettingValue } from '#kernel/permissions';
import { inParts, type RealmWriteTx } from '#kernel/store';
import { CHANNEL_SETTINGS, type ChannelSettingName, storeNewValues } from '#features/groups';
import { insertChannelRecipients, setRecipientChannels } from '#features/recipients';
import { knowersOfEach } from '../members/index.ts';
import { channelCreated, defaultChannelsChanged } from '../events.ts';
import {
  type ChannelRow,
  insertChannels,
  listChannels,
  readChannelValues,
  type TopicsPolicy,
  toWireChannel,
} from '../core/index.ts';
import type { FolderId } from '#features/channel-folders';

const SETTING_NAMES = CHANNEL_SETTINGS.map(({ name }) => name);

/** A channel to be made; everything has been checked. */
export interface NewChannelInput {
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_default: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly message_retention_days: number | null;
  readonly folder_id: FolderId | null;
  readonly topics_policy: TopicsPolicy;
  /** Permissions that differ from their defaults. */
  readonly settings: Partial<Readonly<Record<ChannelSettingName, GroupSettingValue>>>;
}

/** Channels that are created before other requests are served. */
const CHANNELS_AT_ONCE = 200;

/** Creates channels and emits events to everybody who may know of them. See protocol/channels#creation-effects. */
export async function createChannels(
  tx: RealmRefWriteTx,
  creator: UserId | null,
  inputs: readonly NewChannelInput[],
): Promise<readonly ChannelRow[]> {
  const rows = (await inParts(inputs, CHANNELS_AT_ONCE, (some) => createSome(tx, creator, some))).flat();
  if (rows.some((row) => row.is_default)) await announceDefaults(tx);
  return rows;
}

async function createSome(
  tx: RealmRefWriteTx,
  creator: UserId | null,
  inputs: readonly NewChannelInput[],
): Promise<readonly ChannelRow[]> {
  const rows = await insertAll(tx, creator, inputs);
  const values = await readChannelValues(tx, rows);
  const knowers = inTurn(await knowersOfEach(tx, rows));
  for (const row of rows) {
    // People who are subscribed in the same transaction receive the event too.
    const audience = knowers();
    const streams = [toWireChannel(row, tx.realm, values)];
    tx.emit(channelCreated({ streams, for_unarchiving: false }, { audience }));
    const { id, name, invite_only, is_web_public, history_public_to_subscribers } = row;
    const after = { invite_only, is_web_public, history_public_to_subscribers };
    record(tx, { action: 'channel.added', target: { kind: 'channel', id, name }, after });
  }
  return rows;
}

/** Emits the current default channels to everybody except guests. */
export async function announceDefaults(tx: RealmWriteTx): Promise<void> {
  tx.emit(defaultChannelsChanged({ default_streams: await defaultIds(tx) }));
}

/** Emits the default channels to somebody who becomes a guest or stops being one: guests see none. */
export async function announceDefaultsTo(tx: RealmWriteTx, userId: UserId, isGuest: boolean): Promise<void> {
  const default_streams = isGuest ? [] : await defaultIds(tx);
  tx.emit(defaultChannelsChanged({ default_streams }, { audience: { users: [userId] } }));
}

async function defaultIds(tx: RealmWriteTx): Promise<ChannelId[]> {
  const all = await listChannels(tx);
  const defaults = all.filter((row) => row.is_default && !row.is_archived);
  return defaults.map((row) => row.id).toSorted((a, b) => a - b);
}

/** Inserts the channels and everything that belongs to them, with a few statements for all. */
async function insertAll(
  tx: RealmRefWriteTx,
  creator: UserId | null,
  inputs: readonly NewChannelInput[],
): Promise<readonly ChannelRow[]> {
  const recipient = inTurn(await insertChannelRecipients(tx, inputs.length));
  const values = inputs.flatMap(({ settings }) => settingValues(tx.realm, creator, settings));
  const group = inTurn(await storeNewValues(tx, values));
  const channels = inputs.map(({ settings: _values, ...columns }) => ({
    ...columns,
    ...recordOf(SETTING_NAMES, group),
    realm_id: tx.realmId,
    recipient_id: recipient(),
    creator_id: creator,
  }));
  const rows = await insertChannels(tx, channels);
  await setRecipientChannels(tx, rows);
  return rows;
}

/** A new channel's permissions, in the order of their declarations. */
function settingValues(
  realm: RealmRef,
  creator: UserId | null,
  given: NewChannelInput['settings'],
): readonly GroupSettingValue[] {
  return CHANNEL_SETTINGS.map(({ name, default: byDefault }) => given[name] ?? defaultValue(realm, creator, byDefault));
}

function defaultValue(
  realm: RealmRef,
  creator: UserId | null,
  name: (typeof CHANNEL_SETTINGS)[number]['default'],
): GroupSettingValue {
  if (name !== 'channel_creator') return realm.groups[name === 'group_creator' ? 'role:nobody' : name];
  return creator === null ? realm.groups['role:nobody'] : { direct_members: [creator], direct_subgroups: [] };
}
