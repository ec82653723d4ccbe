import { type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import type { Http2Client, PostReply } from '#kernel/outbound';
import { OutboundFault } from '#kernel/outbound';
import { json, lenientObject, list, maybe, oneOf, readAs, str } from '#kernel/schema';
import { parseTokenKey, signToken, type TokenKey } from '#kernel/secretbox';
import { parseJson } from '#kernel/text';
import type { PushProvider } from './tables.ts';

/** Milliseconds within which a manufacturer's service must answer. */
const TIMEOUT_MS = 5_000;
/** Seconds for which Apple's token is used; it may be renewed every 20 minutes and is valid for an hour. */
const APNS_TOKEN_SECONDS = 2_700;
/** Seconds before its expiry at which Google's token is renewed. */
const RENEW_SECONDS = 300;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

/**
 * Result of a notification: the phone's service accepted it, no longer knows the token, refused it, or may accept it
 * later.
 */
export type Outcome = 'delivered' | 'gone' | 'refused' | 'later';

/** One notification for one phone. */
export interface Push {
  readonly token: string;
  readonly appId: string | null;
  readonly priority: 'high' | 'normal';
  /** For Apple the whole payload, for Google a set of strings. */
  readonly payload: object;
  readonly pushType?: 'alert' | 'background';
}

/** The service of a manufacturer of phones. */
export interface Sender {
  send(push: Push): Promise<Outcome>;
}

/** The services that a gateway reaches; one that is not configured is absent. */
export type Senders = Readonly<Partial<Record<PushProvider, Sender>>>;

/** Dependencies of a sender. */
export interface Ground {
  readonly http: Http2Client;
  readonly clock: Clock;
}

const reasonSchema = lenientObject({ reason: maybe(str()) });

/**
 * Sends by APNs with a token that is signed with the key. https://developer.apple.com/documentation/usernotifications
 */
export function apnsSender(
  { http, clock }: Ground,
  {
    key,
    keyId,
    teamId,
    url,
  }: { readonly key: TokenKey; readonly keyId: string; readonly teamId: string; readonly url: string },
): Sender {
  let signed = { token: '', madeAt: Number.NEGATIVE_INFINITY };
  const token = () => {
    if (clock.now() - signed.madeAt >= APNS_TOKEN_SECONDS)
      signed = { token: signToken(key, { kid: keyId }, { iss: teamId, iat: clock.now() }), madeAt: clock.now() };
    return signed.token;
  };
  return {
    send: ({ token: device, appId, priority, payload, pushType }) =>
      attempt(async () => {
        const headers = {
          authorization: `bearer ${token()}`,
          'apns-topic': appId ?? '',
          'apns-priority': priority === 'high' ? '10' : '5',
          'apns-push-type': pushType ?? 'alert',
          'apns-expiration': String(clock.now() + SECONDS_PER_DAY),
        };
        const body = JSON.stringify(payload);
        const reply = await http.post({ url: `${url}/3/device/${device}`, headers, body, timeoutMs: TIMEOUT_MS });
        const { reason = '' } = readAs(reasonSchema, parse(reply)) ?? {};
        // This machine's clock, or Apple's, was set; the next attempt signs a new token.
        if (reason === 'ExpiredProviderToken') signed = { token: '', madeAt: Number.NEGATIVE_INFINITY };
        if (reply.status === 410 || GONE.has(reason)) return 'gone';
        return reason === 'ExpiredProviderToken' ? 'later' : outcomeOf(reply.status);
      }),
  };
}

const GONE = new Set(['Unregistered', 'BadDeviceToken', 'DeviceTokenNotForTopic']);

const account = lenientObject({
  type: oneOf('service_account'),
  project_id: str(),
  private_key_id: str(),
  private_key: str(),
  client_email: str(),
  token_uri: str(),
});
/** A Google service account from its file, with the parsed key. */
export type ServiceAccount = NonNullable<ReturnType<typeof parseServiceAccount>>;

/** Parses the file of a service account; undefined if it is not valid. */
export function parseServiceAccount(content: string) {
  const read = readAs(account, parseJson(content));
  const key = read && parseTokenKey(read.private_key);
  return read && key && { ...read, key };
}

const granted = lenientObject({ access_token: str(), expires_in: maybe(json()) });
const fault = lenientObject({
  error: maybe(
    lenientObject({ status: maybe(str()), details: maybe(list(lenientObject({ errorCode: maybe(str()) }))) }),
  ),
});

/** Sends by FCM HTTP v1 as a service account. https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages */
export function fcmSender({ http, clock }: Ground, google: ServiceAccount, url: string): Sender {
  let held: { readonly token: string; readonly endsAt: number } | undefined;
  let asking: Promise<string> | undefined;
  const ask = async () => {
    const now = clock.now();
    const claims = { iss: google.client_email, scope: SCOPE, aud: google.token_uri, iat: now, exp: now + 3600 };
    const assertion = signToken(google.key, { kid: google.private_key_id, typ: 'JWT' }, claims);
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion,
    }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await http.post({ url: google.token_uri, headers, body, timeoutMs: TIMEOUT_MS });
    const read = reply.status === 200 ? readAs(granted, parse(reply)) : undefined;
    if (!read) throw new OutboundFault('network', new Error(`no access token: status ${reply.status}`));
    held = { token: read.access_token, endsAt: now + (Number(read.expires_in) || 3600) };
    return held.token;
  };
  const token = () => {
    if (held && held.endsAt - RENEW_SECONDS > clock.now()) return held.token;
    // One request for the token serves all notifications that wait for it.
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
  return {
    send: ({ token: device, priority, payload }) =>
      attempt(async () => {
        const message = {
          token: device,
          data: payload,
          android: { priority: priority === 'high' ? 'HIGH' : 'NORMAL' },
        };
        const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' };
        const address = `${url}/v1/projects/${encodeURIComponent(google.project_id)}/messages:send`;
        const body = JSON.stringify({ message });
        const reply = await http.post({ url: address, headers, body, timeoutMs: TIMEOUT_MS });
        if (reply.status === 401) {
          held = undefined;
          return 'later';
        }
        const said = readAs(fault, parse(reply))?.error;
        const codes = (said?.details ?? []).map(({ errorCode }) => errorCode);
        if (reply.status === 404 || codes.includes('UNREGISTERED')) return 'gone';
        return outcomeOf(reply.status);
      }),
  };
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410 || status === 404) return 'gone';
  return status === 429 || status >= 500 ? 'later' : 'refused';
}

async function attempt(send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof OutboundFault) return 'later';
    throw error;
  }
}

const parse = ({ body }: PostReply): unknown => parseJson(body.toString());
