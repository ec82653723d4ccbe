import { defineMigration } from '#kernel/store';

/** The few who want to hear of every message: found without looking at all who are subscribed. */
export const hearers = defineMigration('2026-11-21T1350-hearers', async (m) => {
  await m.run(`create index subscription_hearers on subscription (channel_id, user_id)
    where push_notifications or email_notifications`);
  await m.run(`create index user_hearers on "user" (realm_id, id)
    where user_settings like '%enable_stream_push_notifications%'
      or user_settings like '%enable_stream_email_notifications%'`);
});
