import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const intOrNull = { type: 'int', nullable: true } as const;

/** Subscriptions of browsers and UnifiedPush apps. */
export const pushSubscriptionsMigration = defineMigration('2026-11-22T1915-push-subscriptions', async (m) => {
  await m.createTable(
    'push_subscription',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      kind: text,
      session_id: intOrNull,
      endpoint_hash: text,
      sealed: text,
      name: text,
      created_at: int,
      delivered_at: intOrNull,
      failing_since: intOrNull,
      failure: { type: 'text', nullable: true },
    },
    { unique: [['realm_id', 'endpoint_hash']], indexes: [['realm_id', 'user_id']] },
  );
});
