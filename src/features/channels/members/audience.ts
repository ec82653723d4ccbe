import type { RealmRefReadTx } from '#kernel/auth';
import type { Audience } from '#kernel/events';
import type { ChannelId, GroupId, UserId } from '#kernel/ids';
import { inTurn } from '#kernel/lists';
import { isAdministrator, isGuest } from '#kernel/permissions';
import { nonGuestsOfEach, OPENING_METADATA } from '#features/groups';
import { guestsAmong, type UserRow } from '#features/users';
import { guestSubscribersOf } from './queries.ts';
import type { ChannelRow } from '../core/index.ts';

/** Everybody who may know of a channel. See protocol/events#audiences. */
export async function knowersOf(tx: RealmRefReadTx, channel: ChannelRow): Promise<Audience> {
  return inTurn(await knowersOfEach(tx, [channel]))();
}

/** Everybody who may know of each of the channels, in their order; a few queries for all of them. */
export async function knowersOfEach(tx: RealmRefReadTx, channels: readonly ChannelRow[]): Promise<readonly Audience[]> {
  const byGroup = await knowingByGroups(tx, channels.filter(isClosed));
  return channels.map((channel) => {
    if (channel.is_web_public) return { everyone: true };
    if (!channel.invite_only) return { members: true, channel: { id: channel.id } };
    const users = [...(byGroup.get(channel.id) ?? [])];
    return { admins: true, channel: { id: channel.id, private: true }, users };
  });
}

/** Guests who may begin or cease to know of these people when the people join or leave the channels. */
export async function guestsConcerned(
  tx: RealmRefReadTx,
  channelIds: readonly ChannelId[],
  people: readonly UserRow[],
): Promise<readonly UserId[]> {
  if (!tx.realm.restrictsGuests) return [];
  const subscribed = [...(await guestSubscribersOf(tx, channelIds)).values()].flat();
  return [...new Set([...subscribed, ...guestsAmong(tx.realm, people)])];
}

/** A channel, and people who join or leave it. */
export interface ChangingSubscribers {
  readonly channel: ChannelRow;
  readonly people: readonly UserRow[];
}

/** For each channel, those of its people who know of it only by being subscribed; a few queries for all channels. */
export async function knowingBySubscription(
  tx: RealmRefReadTx,
  changes: readonly ChangingSubscribers[],
): Promise<readonly (readonly UserId[])[]> {
  const closed = changes.map(({ channel }) => channel).filter(isClosed);
  const byGroup = await knowingByGroups(tx, closed);
  const isNews = (channel: ChannelRow, person: UserRow) =>
    channel.invite_only
      ? !isAdministrator(person) && !byGroup.get(channel.id)?.has(person.id)
      : !channel.is_web_public && isGuest(person);
  return changes.map(({ channel, people }) =>
    people.filter((person) => isNews(channel, person)).map((person) => person.id),
  );
}

function isClosed({ invite_only, is_web_public }: ChannelRow): boolean {
  return invite_only && !is_web_public;
}

/** Non-guests who know of each private channel through one of its permissions; a few queries for all of them. */
export async function knowingByGroups(
  tx: RealmRefReadTx,
  channels: readonly ChannelRow[],
  asOf = tx.now,
): Promise<ReadonlyMap<ChannelId, ReadonlySet<UserId>>> {
  if (channels.length === 0) return new Map();
  const members = await nonGuestsOfEach(tx, [...new Set(channels.flatMap(showingGroups))], asOf);
  return new Map(
    channels.map((channel) => [
      channel.id,
      new Set(showingGroups(channel).flatMap((group) => [...(members.get(group) ?? [])])),
    ]),
  );
}

function showingGroups(channel: ChannelRow): readonly GroupId[] {
  return OPENING_METADATA.map((name) => channel[name]);
}
