import { deriveKey } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UserRow } from '#features/users';
import type { PasskeyRow } from '../tables.ts';
import type { parseMade, parseUse } from './answers.ts';
import type { RelyingParty } from './form.ts';

/** The library is loaded with the first passkey. */
const load = () => import('@simplewebauthn/server');

/** Milliseconds that a browser waits for an authenticator. */
const TIMEOUT_MS = 120_000;

/** Options with which a browser makes a passkey for somebody. */
export async function registrationOptions(
  context: Context,
  party: RelyingParty,
  user: UserRow,
  { challenge, known }: { readonly challenge: string; readonly known: readonly PasskeyRow[] },
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
    // The make of an authenticator does not matter here.
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Options with which a browser uses a passkey: one of the known ones, or any if none are given. */
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

/**
 * Returns an attestation object without its statement about the make of the authenticator, as browsers send it to
 * servers that ask for none. The library would believe certificates in a statement for long enough to fetch, without
 * limits, whatever address they name as their list of revoked ones.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData');
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  return Buffer.from(bare).toString('base64url');
}

/**
 * Verifies a passkey that was made here for this challenge, and returns the columns to store; undefined if it is not
 * valid.
 */
export async function verifyMade(
  party: RelyingParty,
  challenge: string,
  answer: NonNullable<ReturnType<typeof parseMade>>,
) {
  const { verifyRegistrationResponse } = await load();
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, attestationObject, transports } = response;
  const result = await withoutStatement(attestationObject)
    .then((bare) =>
      verifyRegistrationResponse({
        response: {
          id,
          rawId,
          type,
          response: { clientDataJSON, attestationObject: bare },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: false,
      }),
    )
    .catch(() => undefined);
  if (!result?.verified || result.registrationInfo.credential.id !== answer.id) return undefined;
  const { credential } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    use_count: credential.counter,
    transports: (transports ?? []).join(),
  };
}

/** What a passkey must have answered, and whether its use replaces the password. */
interface Asked {
  readonly challenge: string;
  readonly standsInForPassword: boolean;
}

/**
 * Verifies that a passkey answered this challenge here, and returns its use counter; undefined if it did not. Where it
 * replaces the password, it must have verified its owner by finger, face or PIN.
 */
export async function verifyUse(
  party: RelyingParty,
  row: PasskeyRow,
  answer: NonNullable<ReturnType<typeof parseUse>>,
  { challenge, standsInForPassword }: Asked,
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

/** The user handle by which authenticators know an account; it does not reveal who that is. */
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
