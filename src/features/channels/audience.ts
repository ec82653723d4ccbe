import type { RealmRef } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { ChannelId, GroupId, UserId } from '#kernel/ids';
import { isAdministrator, isGuest } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';
import { nonGuestsOfEach } from '#features/groups';
import { guestsAmong, type UserRow } from '#features/users';
import { guestSubscribersOf } from './subscriptions/queries.ts';
import type { ChannelRow } from './tables.ts';

/** Everybody who may know of a channel. Contract operations 0.4, CH-META; register 4.1. */
export async function knowersOf(tx: ReadTx, realm: RealmRef, channel: ChannelRow): Promise<Audience> {
  if (channel.is_web_public) return { everyone: true };
  if (!channel.invite_only) return { members: true, channel: { id: channel.id } };
  return { admins: true, channel: { id: channel.id, private: true }, users: await knowingByGroup(tx, realm, channel) };
}

/** Everybody who hears of changes among a channel's subscribers, without those who changed. Contract 0.4, PEERS. */
export async function peersOf(
  tx: ReadTx,
  realm: RealmRef,
  channel: ChannelRow,
  changed: readonly UserId[],
): Promise<Audience> {
  return { ...(await knowersOf(tx, realm, channel)), except: changed };
}

/** Guests who may come to know people, or know them no more, when these people come to channels or leave them. */
export async function guestsConcerned(
  tx: ReadTx,
  realm: RealmRef,
  channelIds: readonly ChannelId[],
  people: readonly UserRow[],
): Promise<readonly UserId[]> {
  if (!realm.restrictsGuests) return [];
  const subscribed = [...(await guestSubscribersOf(tx, realm.id, channelIds)).values()].flat();
  return [...new Set([...subscribed, ...guestsAmong(realm, people)])];
}

/** Those of the people who know of a channel only by being subscribed to it. */
export async function newlyKnowing(
  tx: ReadTx,
  realm: RealmRef,
  channel: ChannelRow,
  people: readonly UserRow[],
): Promise<readonly UserId[]> {
  if (channel.is_web_public) return [];
  if (!channel.invite_only) return people.filter(isGuest).map((person) => person.id);
  const byGroup = new Set(await knowingByGroup(tx, realm, channel));
  return people.filter((person) => !isAdministrator(person) && !byGroup.has(person.id)).map((person) => person.id);
}

/** Non-guests who know of a private channel through one of its permissions. */
async function knowingByGroup(tx: ReadTx, realm: RealmRef, channel: ChannelRow): Promise<readonly UserId[]> {
  return [...((await knowingByGroups(tx, realm, [channel])).get(channel.id) ?? [])];
}

/** Non-guests who know of each private channel through one of its permissions; a few queries for all of them. */
export async function knowingByGroups(
  tx: ReadTx,
  realm: RealmRef,
  channels: readonly ChannelRow[],
  asOf = tx.now,
): Promise<ReadonlyMap<ChannelId, ReadonlySet<UserId>>> {
  const members = await nonGuestsOfEach(tx, realm, [...new Set(channels.flatMap(showingGroups))], asOf);
  return new Map(
    channels.map((channel) => [
      channel.id,
      new Set(showingGroups(channel).flatMap((group) => [...(members.get(group) ?? [])])),
    ]),
  );
}

function showingGroups(channel: ChannelRow): readonly GroupId[] {
  return [channel.can_administer_channel_group, channel.can_add_subscribers_group, channel.can_subscribe_group];
}
