import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Commands that bots answer, and rules of channels that call bots. */
export const botCommandsMigration = defineMigration('2026-11-22T2255-bot-commands', async (m) => {
  await m.createTable(
    'bot_command',
    { id: { type: 'id' }, realm_id: int, bot_id: int, command_name: text, description: text, usage_hint: text },
    { unique: [['realm_id', 'command_name']] },
  );
  await m.createTable(
    'channel_rule',
    {
      id: { type: 'id' },
      realm_id: int,
      channel_id: int,
      bot_id: int,
      words: { type: 'json' },
      pattern: { type: 'text', nullable: true },
      creator_id: int,
      date_created: int,
    },
    { indexes: [['realm_id', 'channel_id']] },
  );
});
