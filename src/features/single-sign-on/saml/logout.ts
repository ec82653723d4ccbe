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
import { untrue } from './strict.ts';

/** Seconds for which a request is good at most, and so how long its name is remembered. */
const MAX_SECONDS = 600;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** A provider that people can be logged out at. */
export type LogoutProvider = SamlProvider & { readonly sign_out_url: string };

/** Whether a provider has an address for logging out. */
export function logsOut(provider: SamlProvider): provider is LogoutProvider {
  return provider.sign_out_url !== undefined;
}

/** How somebody ends their session at the provider, by a signed request of ours. */
export async function signOut(request: RealmRequest, provider: LogoutProvider, name: SamlName): Promise<Outgoing> {
  const id = `_${request.context.clock.token(43)}`;
  return outgoing(provider, await samlLogoutUrl(samlPeer(request, provider), id, name));
}

/** What a browser brings from a provider: an address with a query, or a form. */
type Brought = { readonly search: string } | { readonly fields: ReadonlyMap<string, string> };

/**
 * Takes what a provider says by way of the browser: a request ends the sessions that it names, all of a person where it names
 * none, and is answered; an answer to ours changes nothing any more. What to answer then.
 * See protocol/authentication#logging-out.
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
  if (message.root !== (isRequest ? 'LogoutRequest' : 'LogoutResponse')) throw untrue('root');
  assertTrue(message, provider, peer.logout, request.context.clock.now());
  if (!isRequest) {
    if (message.statuses[0] !== SUCCESS) throw new ProviderFault('refused', 'status');
    return undefined;
  }
  return outgoing(provider, await obey(request, provider, message, said.relayState));
}

/** Takes a request that a provider sends itself, in an envelope (SAML bindings, 3.2); the answer in one. */
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

/** Ends the sessions that a verified request names; our answer, as an address. */
async function obey(
  request: RealmRequest,
  provider: LogoutProvider,
  message: LogoutMessage,
  relayState: string | undefined,
): Promise<string> {
  const [encrypted, ...others] = message.encryptedIds;
  if (others.length > 0) throw untrue('nobody');
  const opened = encrypted === undefined ? [] : [(await openedNameId(provider, encrypted))._];
  await endSessions(request, provider, { ...message, nameIds: [...message.nameIds, ...opened] });
  return samlLogoutAnswerUrl(samlPeer(request, provider), message.id, relayState);
}

/** A message of this provider, for this address, of now (SAML bindings, 3.4.5.2: what is signed names where it goes). */
function assertTrue(message: LogoutMessage, provider: SamlProvider, here: string, now: number): void {
  if (message.issuer !== provider.issuer) throw untrue('issuer');
  if (message.destination !== here) throw untrue('destination');
  if (Math.abs(timeOf(message.issuedAt) - now) > MAX_SECONDS) throw untrue('age');
  if (message.until !== undefined && timeOf(message.until) <= now - LEEWAY_SECONDS) throw untrue('late');
}

async function endSessions(
  { context, realm }: RealmRequest,
  provider: SamlProvider,
  { id, issuer, nameIds, sessions }: LogoutMessage,
): Promise<void> {
  const [subject, ...others] = nameIds;
  if (subject === undefined || subject === '' || others.length > 0) throw untrue('nobody');
  const name = `saml logout ${issuer} ${id}`;
  await context.store.in(realm).write(async (tx) => {
    if (!(await spend(tx, name, 2 * MAX_SECONDS))) throw untrue('replay');
    const userIds = await deleteSessionsOfProvider(tx, provider.id, {
      subject,
      session: sessions.length === 0 ? undefined : sessions,
    });
    await deleteQueuesOf(tx, userIds);
  });
}
