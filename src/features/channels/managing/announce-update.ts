import type { RealmRef, RealmRefWriteTx } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { GroupSettingValue } from '#kernel/permissions';
import { hideChannels, knowersOf, listSubscriptionsOf, showChannels, subscribersOf } from '../members/index.ts';
import type { SettingChange } from './change-settings.ts';
import { announceDefaults } from '../creating/index.ts';
import { channelChanged, channelCreated, peersAdded, subscriptionAdded } from '../events.ts';
import type { UpdateInput } from './plan-update.ts';
import { subscriptionPayload } from '../subscriptions/index.ts';
import { type ChannelRow, postPolicy, readChannelValues, toWireChannel } from '../core/index.ts';
import { whoKnows } from './visibility.ts';

/** A change that was stored, and what its events depend on. */
interface Announcement {
  readonly realm: RealmRef;
  readonly before: ChannelRow;
  readonly after: ChannelRow;
  readonly settings: readonly SettingChange[];
  /** The users who knew of the channel before, if the change may have altered that. */
  readonly seenBy: ReadonlySet<UserId> | undefined;
  readonly input: UpdateInput;
}

interface Update {
  readonly property: string;
  readonly value: string | number | boolean | null | GroupSettingValue;
  readonly extra?: object;
}

/** The events of a change, in the order of application. See protocol/channels#update-events. */
export async function announceUpdate(tx: RealmRefWriteTx, change: Announcement): Promise<void> {
  const { before, after, seenBy } = change;
  const audience = seenBy ? await announceVisibility(tx, change, seenBy) : await knowersOf(tx, after);
  const emit = ({ property, value, extra }: Update, name: string) =>
    tx.emit(
      channelChanged(
        { stream_id: after.id, name, property, value, ...extra },
        { audience, before: formerOf(change, property) },
      ),
    );
  for (const update of updatesBeforeDefaults(before, after)) emit(update, before.name);
  if (change.input.is_default_stream === false || isListed(before) !== isListed(after)) await announceDefaults(tx);
  if (before.message_retention_days !== after.message_retention_days)
    emit({ property: 'message_retention_days', value: after.message_retention_days }, before.name);
  if (before.is_archived && !after.is_archived) {
    emit({ property: 'is_archived', value: false }, before.name);
    await announceReturn(tx, { ...after, name: before.name }, audience);
  }
  for (const update of updatesAfterDefaults(before, after)) emit(update, before.name);
  for (const update of settingUpdates(change)) emit(update, after.name);
}

/** The former value of a property, for the audit log; privacy is three properties. */
function formerOf({ before, settings }: Announcement, property: string): Readonly<Record<string, unknown>> {
  const { invite_only, history_public_to_subscribers, is_web_public } = before;
  if (property === 'invite_only') return { invite_only, history_public_to_subscribers, is_web_public };
  const setting = settings.find(({ name }) => name === property);
  return { [property]: setting ? setting.old : new Map<string, unknown>(Object.entries(before)).get(property) };
}

/** Whether new accounts are subscribed to it by default. */
function isListed(channel: ChannelRow): boolean {
  return channel.is_default && !channel.is_archived;
}

function updatesBeforeDefaults(before: ChannelRow, after: ChannelRow): readonly Update[] {
  const { history_public_to_subscribers, is_web_public, invite_only } = after;
  const isPrivacyNew =
    before.invite_only !== invite_only ||
    before.is_web_public !== is_web_public ||
    before.history_public_to_subscribers !== history_public_to_subscribers;
  const extra = { history_public_to_subscribers, is_web_public };
  return [
    ...(before.topics_policy === after.topics_policy
      ? []
      : [{ property: 'topics_policy', value: after.topics_policy }]),
    ...(isPrivacyNew ? [{ property: 'invite_only', value: invite_only, extra }] : []),
  ];
}

/**
 * The event about a rename is the last one that carries the old name; those about the folder and permissions follow it.
 */
function updatesAfterDefaults(before: ChannelRow, after: ChannelRow): readonly Update[] {
  const { description, rendered_description } = after;
  return [
    ...(before.description === description
      ? []
      : [{ property: 'description', value: description, extra: { rendered_description } }]),
    ...(before.name === after.name ? [] : [{ property: 'name', value: after.name }]),
  ];
}

function settingUpdates({ realm, before, after, settings }: Announcement): readonly Update[] {
  const folder = before.folder_id === after.folder_id ? [] : [{ property: 'folder_id', value: after.folder_id }];
  const changes = settings.flatMap(({ name, value }): Update[] => {
    const policy = postPolicy(after, realm);
    if (name !== 'can_send_message_group' || policy === postPolicy(before, realm)) return [{ property: name, value }];
    return [
      { property: name, value },
      { property: 'stream_post_policy', value: policy },
      { property: 'is_announcement_only', value: policy === 2 },
    ];
  });
  return [...folder, ...changes];
}

/** Sends events to users who gained or lost sight of the channel. Returns the other users. */
async function announceVisibility(
  tx: RealmRefWriteTx,
  change: Announcement,
  before: ReadonlySet<UserId>,
): Promise<Audience> {
  const { after } = change;
  const now = (await whoKnows(tx, [after])).get(after.id) ?? new Set();
  const channels = [after];
  await showChannels(tx, [{ channels, users: [...now].filter((id) => !before.has(id)) }]);
  hideChannels(tx, { channels, users: [...before].filter((id) => !now.has(id)) });
  return { users: [...now].filter((id) => before.has(id)) };
}

/** Sends the channel and its subscriptions to clients that dropped it when it was archived. */
async function announceReturn(tx: RealmRefWriteTx, channel: ChannelRow, audience: Audience): Promise<void> {
  const values = await readChannelValues(tx, [channel]);
  const users = [...((await subscribersOf(tx, [channel.id])).get(channel.id) ?? [])];
  // Clients add the subscribers of the events that follow to this count.
  const streams = [{ ...toWireChannel(channel, tx.realm, values), subscriber_count: 0 }];
  tx.emit(channelCreated({ streams, for_unarchiving: true }, { audience }));
  if (users.length === 0) return;
  const subscriptions = await listSubscriptionsOf(tx, users, [channel.id]);
  const payload = await subscriptionPayload(tx, [channel], subscriptions);
  tx.emit(subscriptionAdded({ ...payload, for_unarchiving: true }, { audience: { users } }));
  const peers = { stream_ids: [channel.id], user_ids: users, for_unarchiving: true };
  tx.emit(peersAdded(peers, { audience: { ...audience, except: users } }));
}
