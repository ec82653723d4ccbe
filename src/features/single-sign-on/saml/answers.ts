import { spend } from '#features/sign-in';
import type { RealmRequest } from '#kernel/endpoint';
import type { SamlProvider } from '#kernel/identity';
import { bool, firstFault, int, list, maybe, object, str } from '#kernel/schema';
import { sha256 } from '#kernel/secretbox';
import { deleteSamlAnswer, insertSamlAnswer } from '../queries.ts';
import { ProviderFault, type Secrets, type Vouched } from '../vouched.ts';
import { readAssertion, REMEMBERED_SECONDS } from './assertion.ts';
import { readEnvelope } from './envelope.ts';
import { samlPeer, samlRequestUrl, signedAssertion } from './library.ts';

/** Seconds after which an answer that nobody took expires: a redirect takes no longer. */
const ANSWER_SECONDS = 60;
/** Characters of the token with which a browser takes its answer. */
const TOKEN_LENGTH = 43;

const shape = object({
  signed_in_at: int(),
  issuer: str(),
  subject: str(),
  name: maybe(str()),
  email: maybe(str()),
  is_verified: bool(),
  groups: maybe(list(str())),
  picture: maybe(str()),
  session: maybe(object({ sid: maybe(str()), token: maybe(str()), subject: maybe(str()) })),
});

/** The ID of an attempt's request, with a prefix because an XML name cannot begin with a digit. */
const requestIdOf = ({ state }: Pick<Secrets, 'state'>): string => `_${state}`;

/** The address at the provider where somebody signs in. */
export function samlSignInUrl(request: RealmRequest, provider: SamlProvider, secrets: Secrets): Promise<string> {
  const isAnew = secrets.notBefore !== undefined;
  return samlRequestUrl(samlPeer(request, provider), requestIdOf(secrets), isAnew);
}

/**
 * Verifies an answer that a browser brings from a provider without its cookies, stores it, and returns the token with
 * which the browser takes it. An assertion works once, over all processes (security#asvs, 6.8.2, 6.8.3).
 */
export async function receiveAnswer(request: RealmRequest, provider: SamlProvider, response: string): Promise<string> {
  const { context, realm } = request;
  const peer = samlPeer(request, provider);
  const { destination, requestId, encrypted } = readEnvelope(response);
  if (destination !== undefined && destination !== peer.answer) throw new ProviderFault('invalid', 'destination');
  const signed = await signedAssertion(peer, response, encrypted);
  const said = readAssertion(peer, signed, context.clock.now());
  if (requestId !== undefined && requestId !== said.requestId) throw new ProviderFault('invalid', 'request');
  const { isVerified: is_verified, ...rest } = said.vouched;
  const stored = JSON.stringify({ ...rest, is_verified, signed_in_at: Math.floor(said.signedInAt) });
  const token = context.clock.token(TOKEN_LENGTH);
  await context.store.in(realm).write(async (tx) => {
    if (!(await spend(tx, `saml ${said.id}`, REMEMBERED_SECONDS))) throw new ProviderFault('invalid', 'replay');
    await insertSamlAnswer(tx, {
      token_hash: sha256(token),
      realm_id: realm.id,
      provider: provider.id,
      request_id: said.requestId,
      said: stored,
      expires_at: tx.now + ANSWER_SECONDS,
    });
  });
  return token;
}

/**
 * Returns the provider's answer to this browser's attempt, and uses it up even if it is the answer to another attempt.
 */
export async function takeAnswer(
  { context, realm }: RealmRequest,
  provider: SamlProvider,
  token: string,
  secrets: Secrets,
): Promise<Vouched> {
  const row = await context.store.in(realm).write((tx) => deleteSamlAnswer(tx, sha256(token)));
  if (row?.provider !== provider.id || row.request_id !== requestIdOf(secrets))
    throw new ProviderFault('invalid', 'request');
  const read = firstFault(shape, 'answer', JSON.parse(row.said));
  if ('fault' in read) throw new ProviderFault('invalid', 'shape');
  const { signed_in_at, is_verified, issuer, subject, name, email, groups, picture, session } = read.value;
  if (secrets.notBefore !== undefined && signed_in_at < secrets.notBefore - 60)
    throw new ProviderFault('invalid', 'signed in before');
  const { sid, token: nameThere, subject: calledThere } = session ?? {};
  return {
    issuer,
    subject,
    name,
    email,
    isVerified: is_verified,
    groups,
    picture,
    session: { sid, token: nameThere, subject: calledThere },
    signedInAt: signed_in_at,
  };
}
