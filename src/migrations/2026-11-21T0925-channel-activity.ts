import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/** How busy channels are: kept as a fact of the channel, so that it changes only together with an event. */
export const channelActivity = defineMigration('2026-11-21T0925-channel-activity', async (m) => {
  await m.addColumn('channel', 'is_recently_active', { type: 'bool', default: true });
  await m.addColumn('channel', 'weekly_traffic', { type: 'int', nullable: true });
  await m.createTable(
    'channel_traffic',
    { realm_id: int, channel_id: int, day: int, message_count: int },
    { primaryKey: ['channel_id', 'day'], indexes: [['realm_id', 'day']] },
  );
});
