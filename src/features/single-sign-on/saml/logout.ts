import { deleteSessionsOfProvider, type RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { deleteQueuesOf } from '#kernel/events';
import type { SamlProvider } from '#kernel/identity';
import { spend } from '#features/sign-in';
import { ProviderFault } from '../vouched.ts';
import { LEEWAY_SECONDS, timeOf } from './assertion.ts';
import { addressesOf, samlLogoutAnswerUrl, samlLogoutUrl, type SamlName, verifyQuery } from './library.ts';
import { type LogoutMessage, readLogout, readQuery } from './logout-message.ts';

/** Seconds for which a request is good at most, and so how long its name is remembered. */
const MAX_SECONDS = 600;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** A provider that people can be logged out at. */
export type LogoutProvider = SamlProvider & { readonly sign_out_url: string };

/** Whether a provider has an address for logging out. */
export function logsOut(provider: SamlProvider): provider is LogoutProvider {
  return provider.sign_out_url !== undefined;
}

/** The provider's address at which somebody ends their session there, by a signed request of ours. */
export function signOutUrl(
  context: Context,
  realm: RealmRef,
  provider: LogoutProvider,
  name: SamlName,
): Promise<string> {
  const id = `_${context.clock.token(43)}`;
  return samlLogoutUrl(provider, addressesOf(context, realm, provider), id, name);
}

/**
 * Takes what a provider says by way of the browser: a request ends the sessions that it names, all of a person where it names
 * none, and is answered; an answer to ours changes nothing any more. Where to go then.
 * See protocol/authentication#logging-out.
 */
export async function receiveLogout(
  context: Context,
  realm: RealmRef,
  provider: LogoutProvider,
  search: string,
): Promise<string | undefined> {
  const addresses = addressesOf(context, realm, provider);
  const query = readQuery(search);
  // First: of strangers nothing is read that is not needed to know them.
  await verifyQuery(provider, addresses, query);
  const message = readLogout(query.xml);
  const isRequest = query.kind === 'SAMLRequest';
  if (message.root !== (isRequest ? 'LogoutRequest' : 'LogoutResponse')) throw untrue('root');
  assertTrue(message, provider, addresses.logout, context.clock.now());
  if (!isRequest) {
    if (message.statuses[0] !== SUCCESS) throw new ProviderFault('refused', 'status');
    return undefined;
  }
  await endSessions(context, realm, provider, message);
  return samlLogoutAnswerUrl(provider, addresses, message.id, query.values.RelayState);
}

/** A message of this provider, for this address, of now (SAML bindings, 3.4.5.2: what is signed names where it goes). */
function assertTrue(message: LogoutMessage, provider: SamlProvider, here: string, now: number): void {
  if (message.issuer !== provider.issuer) throw untrue('issuer');
  if (message.destination !== here) throw untrue('destination');
  if (Math.abs(timeOf(message.issuedAt) - now) > MAX_SECONDS) throw untrue('age');
  if (message.until !== undefined && timeOf(message.until) <= now - LEEWAY_SECONDS) throw untrue('late');
}

async function endSessions(
  context: Context,
  realm: RealmRef,
  provider: SamlProvider,
  { id, issuer, nameIds, sessions }: LogoutMessage,
): Promise<void> {
  const [subject, ...others] = nameIds;
  if (subject === undefined || subject === '' || others.length > 0) throw untrue('nobody');
  const name = `saml logout ${issuer} ${id}`;
  await context.store.of(realm.id).write(async (tx) => {
    if (!(await spend(tx, name, 2 * MAX_SECONDS))) throw untrue('replay');
    const userIds = await deleteSessionsOfProvider(tx, provider.id, {
      subject,
      session: sessions.length === 0 ? undefined : sessions,
    });
    await deleteQueuesOf(tx, userIds);
  });
}

function untrue(code: string): ProviderFault {
  return new ProviderFault('untrue', code);
}
