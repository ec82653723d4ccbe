import { InvalidApiKey, MalformedApiKey, RealmDeactivated, UserDeactivated } from '#kernel/errors';
import type { ReadTx } from '#kernel/store';
import type { AuthSource, Login, RealmRef } from './actor.ts';
import { apiKeyFor, isApiKeyShape } from './api-keys.ts';
import type { BasicCredentials } from './basic.ts';
import { constantTimeEqual } from './constant-time.ts';

/** The account whose address and API key these are. Contract W6 rows 5 to 8, in that order. */
export async function authenticateByKey(
  tx: ReadTx,
  source: AuthSource,
  realm: RealmRef,
  credentials: BasicCredentials,
  secret: string,
): Promise<Login> {
  if (!isApiKeyShape(credentials.key)) throw MalformedApiKey();
  const login = await source.byEmail(tx, realm, credentials.email);
  if (!login) throw InvalidApiKey();
  const expected = apiKeyFor(secret, login.actor.userId, login.apiKeyVersion);
  if (!constantTimeEqual(expected, credentials.key)) throw InvalidApiKey();
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!login.isActive) throw UserDeactivated();
  return login;
}
