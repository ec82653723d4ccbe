import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const bool = { type: 'bool' } as const;
const intOrNull = { type: 'int', nullable: true } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** What bots have beyond their accounts. */
export const botsMigration = defineMigration('2026-11-21T0930-bots', async (m) => {
  await m.createTable(
    'bot',
    {
      user_id: int,
      realm_id: int,
      default_sending_stream_id: intOrNull,
      default_events_register_stream_id: intOrNull,
      default_all_public_streams: bool,
      base_url: textOrNull,
      service_interface: int,
      service_name: textOrNull,
      config_data: { type: 'json' },
      alerted_at: int,
    },
    { primaryKey: ['user_id'] },
  );
});
