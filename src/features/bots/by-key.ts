import { constantTimeEqual, isApiKeyShape, type RealmRef } from '#kernel/auth';
import { InvalidApiKey, MalformedApiKey, RealmDeactivated, UserDeactivated } from '#kernel/errors';
import type { ReadTx } from '#kernel/store';
import type { UserRow } from '#features/users';
import { listIncomingWebhooks } from './queries.ts';
import { keyOf } from './read.ts';

/**
 * The incoming webhook bot whose key this is: other services know a key alone. Keys are derived, not stored, so each such
 * bot's is compared. Order of protocol/authentication#credentials.
 */
export async function incomingWebhookByKey(tx: ReadTx, realm: RealmRef, secret: string, key: string): Promise<UserRow> {
  if (!isApiKeyShape(key)) throw MalformedApiKey();
  const bots = await listIncomingWebhooks(tx, realm.id);
  const bot = bots.find((candidate) => constantTimeEqual(keyOf(secret, candidate), key));
  if (!bot) throw InvalidApiKey();
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!bot.is_active) throw UserDeactivated();
  return bot;
}
