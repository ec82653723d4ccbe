import { deriveKey } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UserRow } from '#features/users';
import type { PasskeyRow } from '../tables.ts';
import type { parseMade, parseUse } from './answers.ts';
import type { RelyingParty } from './form.ts';

/** Loaded with the first passkey. */
const load = () => import('@simplewebauthn/server');

/** Milliseconds that a browser waits for an authenticator. */
const TIMEOUT_MS = 120_000;

/** What a browser needs to make a passkey for somebody. */
export async function registrationOptions(
  context: Context,
  party: RelyingParty,
  user: UserRow,
  challenge: string,
  known: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.full_name,
    userID: handleBytes(context, user),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: TIMEOUT_MS,
    // Which make it is, is nobody's business here.
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** What a browser needs to use a passkey: of somebody's, or whichever it has. */
export async function useOptions(party: RelyingParty, challenge: string, known: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: TIMEOUT_MS,
    allowCredentials: known.map(descriptor),
    userVerification: known.length === 0 ? 'required' : 'preferred',
  });
}

/** What is to be stored of a passkey that was made here and for this challenge; undefined for anything else. */
export async function verifyMade(
  party: RelyingParty,
  challenge: string,
  answer: NonNullable<ReturnType<typeof parseMade>>,
) {
  const { verifyRegistrationResponse } = await load();
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, attestationObject, transports } = response;
  const result = await verifyRegistrationResponse({
    response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!result?.verified || result.registrationInfo.credential.id !== answer.id) return undefined;
  const { credential } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    use_count: credential.counter,
    transports: (transports ?? []).join(),
  };
}

/**
 * How often a passkey says it was used, when it answered this challenge here; undefined for anything else. Where it stands in
 * for the password, its owner must have shown a finger, a face or a PIN.
 */
export async function verifyUse(
  party: RelyingParty,
  challenge: string,
  row: PasskeyRow,
  answer: NonNullable<ReturnType<typeof parseUse>>,
  standsInForPassword: boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load();
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, authenticatorData, signature } = response;
  const result = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: row.credential_id,
      publicKey: Buffer.from(row.public_key, 'base64url'),
      counter: row.use_count,
    },
    requireUserVerification: standsInForPassword,
  }).catch(() => undefined);
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
}

/** What authenticators know somebody by: nothing that says who it is. */
export function userHandle(
  context: Pick<Context, 'server'>,
  { realm_id, id }: Pick<UserRow, 'realm_id' | 'id'>,
): string {
  return Buffer.from(deriveKey(context.server.secret, `passkey-user:${realm_id}:${id}`)).toString('base64url');
}

function handleBytes(context: Context, user: UserRow): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(userHandle(context, user), 'base64url'));
}

function descriptor({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id, transports: transports.split(',').filter(isTransport) };
}

function isTransport(text: string): text is 'ble' | 'hybrid' | 'internal' | 'nfc' | 'usb' {
  return ['ble', 'hybrid', 'internal', 'nfc', 'usb'].includes(text);
}
