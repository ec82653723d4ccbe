import type { ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';
import type { SettingChange } from '../managing/index.ts';
import type { ChannelRow } from './tables.ts';

/** Channels were made by somebody's request. */
export const channelsCreated = signal<
  {
    readonly channels: readonly ChannelRow[];
    /** Whether the request asked for an announcement. */
    readonly announce: boolean;
  },
  ActorWriteTx
>('channels-created');

/** Somebody subscribed people other than themselves to channels that existed before. */
export const peopleSubscribed = signal<
  {
    readonly subscribed: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
  },
  ActorWriteTx
>('people-subscribed');

/** People were subscribed to channels that existed before, by themselves or by somebody's request. */
export const peopleJoined = signal<
  {
    readonly joined: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
  },
  ActorWriteTx
>('people-joined');

/** People left channels, by themselves or by somebody's request. */
export const peopleUnsubscribed = signal<{
  readonly unsubscribed: readonly { readonly userId: UserId; readonly channel: ChannelRow }[];
}>('people-unsubscribed');

/** Somebody changed a channel, or brought it back from the archive. */
export const channelUpdated = signal<
  {
    readonly before: ChannelRow;
    readonly after: ChannelRow;
    /** Permissions that changed. */
    readonly settings: readonly SettingChange[];
  },
  ActorWriteTx
>('channel-updated');

/** A channel was archived. */
export const channelArchived = signal<
  {
    readonly channel: ChannelRow;
  },
  ActorWriteTx
>('channel-archived');
