import { type Account, request } from './connection.ts';

/** What clients of today say of themselves when they register. */
export const MODERN = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: 'partial',
  slim_presence: true,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
};

/** The bytes of a registration with the whole state. */
export function registration(account: Account | undefined): Buffer {
  return request(account, 'POST', '/register', MODERN, 'Accept-Encoding: gzip\r\n');
}
