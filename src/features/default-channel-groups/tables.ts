import type { ChannelId, Id, RealmId } from '#kernel/ids';
import { col, type RowOf, type SelectOf, table } from '#kernel/store';

export type DefaultGroupId = Id<'DefaultChannelGroup'>;

/** Named sets of channels that new users are offered. */
export const defaultChannelGroup = table('default_channel_group', {
  id: col.id<DefaultGroupId>(),
  realm_id: col.ref<RealmId>(),
  name: col.text(),
  description: col.text(),
});
export type DefaultGroupRow = SelectOf<typeof defaultChannelGroup>;

/** Which channels are in which group. */
export const defaultChannelGroupMember = table('default_channel_group_member', {
  realm_id: col.ref<RealmId>(),
  default_group_id: col.ref<DefaultGroupId>(),
  channel_id: col.ref<ChannelId>(),
});

declare module '#kernel/store' {
  interface Tables {
    default_channel_group: RowOf<typeof defaultChannelGroup>;
    default_channel_group_member: RowOf<typeof defaultChannelGroupMember>;
  }
}
