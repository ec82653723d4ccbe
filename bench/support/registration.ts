import { type Account, request } from './connection.ts';

/** The register parameters of current clients. */
export const MODERN = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: 'partial',
  slim_presence: true,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
};

/** Returns the bytes of a registration with the whole state. */
export function registration(account: Account | undefined): Buffer {
  return request(account, 'POST', '/register', MODERN, 'Accept-Encoding: gzip\r\n');
}
