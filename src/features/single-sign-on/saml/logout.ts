import { deleteSessionsOfProvider } from '#kernel/auth';
import type { RealmRequest } from '#kernel/endpoint';
import { deleteQueuesOf } from '#kernel/events';
import type { SamlProvider } from '#kernel/identity';
import { spend } from '#features/sign-in';
import { ProviderFault } from '../vouched.ts';
import { LEEWAY_SECONDS, timeOf } from './assertion.ts';
import { openedNameId } from './encrypted.ts';
import {
  samlLogoutAnswerUrl,
  samlLogoutUrl,
  type SamlName,
  samlPeer,
  soapAddress,
  verifyForm,
  verifyQuery,
} from './library.ts';
import { type LogoutMessage, readForm, readLogout, readQuery, readSoap } from './logout-message.ts';
import { type Outgoing, outgoing, signedInside } from './outgoing.ts';
import { invalid } from './strict.ts';

/** Longest validity of a request in seconds, and so how long its ID is remembered. */
const MAX_SECONDS = 600;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** A provider with an address for logging out. */
export type LogoutProvider = SamlProvider & { readonly sign_out_url: string };

/** Whether a provider has an address for logging out. */
export function logsOut(provider: SamlProvider): provider is LogoutProvider {
  return provider.sign_out_url !== undefined;
}

/** The signed request with which somebody ends their session at the provider. */
export async function signOut(request: RealmRequest, provider: LogoutProvider, name: SamlName): Promise<Outgoing> {
  const id = `_${request.context.clock.token(43)}`;
  return outgoing(provider, await samlLogoutUrl(samlPeer(request, provider), id, name));
}

/** A provider's message that a browser brings: an address with a query, or a form. */
type Brought = { readonly search: string } | { readonly fields: ReadonlyMap<string, string> };

/**
 * Handles a provider's message that a browser brings, and returns the answer. A request ends the sessions that it
 * names, or all sessions of the person if it names none; an answer to this server's request changes nothing. See
 * protocol/authentication#logging-out.
 */
export async function receiveLogout(
  request: RealmRequest,
  provider: LogoutProvider,
  brought: Brought,
): Promise<Outgoing | undefined> {
  const peer = samlPeer(request, provider);
  const said = 'search' in brought ? readQuery(brought.search) : readForm(brought.fields);
  if ('covered' in said) await verifyQuery(peer, said);
  else await verifyForm(peer, said);
  const message = readLogout(said.elements);
  const isRequest = said.kind === 'SAMLRequest';
  if (message.root !== (isRequest ? 'LogoutRequest' : 'LogoutResponse')) throw invalid('root');
  assertTrue(message, provider, peer.logout, request.context.clock.now());
  if (!isRequest) {
    if (message.statuses[0] !== SUCCESS) throw new ProviderFault('refused', 'status');
    return undefined;
  }
  return outgoing(provider, await obey(request, provider, message, said.relayState));
}

/** Handles a request that a provider sends itself, in an envelope (SAML bindings, 3.2); returns the answer in one. */
export async function receiveSoapLogout(
  request: RealmRequest,
  provider: LogoutProvider,
  body: Buffer,
): Promise<string> {
  const peer = samlPeer(request, provider);
  const said = readSoap(body);
  await verifyForm(peer, said);
  const message = readLogout(said.elements);
  assertTrue(message, provider, soapAddress(peer.logout), request.context.clock.now());
  const answer = await obey(request, provider, message, undefined);
  const signed = await signedInside(provider, answer);
  return `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${signed}</soap:Body></soap:Envelope>`;
}

/** Ends the sessions that a verified request names, and returns this server's answer as an address. */
async function obey(
  request: RealmRequest,
  provider: LogoutProvider,
  message: LogoutMessage,
  relayState: string | undefined,
): Promise<string> {
  const [encrypted, ...others] = message.encryptedIds;
  if (others.length > 0) throw invalid('nobody');
  const opened = encrypted === undefined ? [] : [(await openedNameId(provider, encrypted))._];
  await endSessions(request, provider, { ...message, nameIds: [...message.nameIds, ...opened] });
  return samlLogoutAnswerUrl(samlPeer(request, provider), message.id, relayState);
}

/**
 * Throws unless a message is from this provider, for this address, and recent (SAML bindings, 3.4.5.2: a signed message
 * names its destination).
 */
function assertTrue(message: LogoutMessage, provider: SamlProvider, here: string, now: number): void {
  if (message.issuer !== provider.issuer) throw invalid('issuer');
  if (message.destination !== here) throw invalid('destination');
  if (Math.abs(timeOf(message.issuedAt) - now) > MAX_SECONDS) throw invalid('age');
  if (message.until !== undefined && timeOf(message.until) <= now - LEEWAY_SECONDS) throw invalid('late');
}

async function endSessions(
  { context, realm }: RealmRequest,
  provider: SamlProvider,
  { id, issuer, nameIds, sessions }: LogoutMessage,
): Promise<void> {
  const [subject, ...others] = nameIds;
  if (subject === undefined || subject === '' || others.length > 0) throw invalid('nobody');
  const name = `saml logout ${issuer} ${id}`;
  await context.store.in(realm).write(async (tx) => {
    if (!(await spend(tx, name, 2 * MAX_SECONDS))) throw invalid('replay');
    const userIds = await deleteSessionsOfProvider(tx, provider.id, {
      subject,
      session: sessions.length === 0 ? undefined : sessions,
    });
    await deleteQueuesOf(tx, userIds);
  });
}
