import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;

/**
 * What people received by moves of messages: ranges of them for each, not a flag for each message. See decision 0051.
 */
export const deliveries = defineMigration('2026-11-30T1620-deliveries', async (m) => {
  await m.createTable('delivery', { id: { type: 'id' }, realm_id: int, recipient_id: int });
  await m.createTable(
    'delivered_user',
    { realm_id: int, delivery_id: int, user_id: int, first_id: int, last_id: int },
    { primaryKey: ['delivery_id', 'user_id', 'first_id'], indexes: [['user_id', 'delivery_id']] },
  );
  await m.addColumn('message', 'delivery_id', { type: 'int', nullable: true });
  await m.run('create index message_delivery on message (delivery_id, id) where delivery_id is not null');
});
