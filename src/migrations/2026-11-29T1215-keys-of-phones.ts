import { defineMigration } from '#kernel/store';

/** The device key with which a phone or app registered for notifications, which end with it. */
export const keysOfPhones = defineMigration('2026-11-29T1215-keys-of-phones', async (m) => {
  for (const table of ['push_device', 'push_token', 'push_subscription'])
    await m.addColumn(table, 'device_key_id', { type: 'int', nullable: true });
});
