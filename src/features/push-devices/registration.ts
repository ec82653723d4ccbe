import { parseBase64, parsePushKey } from '#kernel/secretbox';
import {
  IncompleteRegistration,
  InvalidPushKey,
  InvalidTokenId,
  NoKeyToRotate,
  NoTokenToRotate,
  RegistrationInProgress,
} from './errors.ts';
import type { DeviceRow, TokenKind } from './tables.ts';

/** A client's new key. */
export interface KeyGroup {
  readonly push_key: string;
  readonly push_key_id: number;
}

/** A client's new token; everything but its ID is for the push service. */
export interface TokenGroup {
  readonly token_kind: TokenKind;
  readonly token_id: string;
  readonly bouncer_public_key: string;
  readonly encrypted_push_registration: string;
}

/** The complete groups of a registration: one of them, or both. */
export interface Groups {
  readonly key: KeyGroup | undefined;
  readonly token: TokenGroup | undefined;
}

type Sent<T> = { readonly [K in keyof T]: T[K] | undefined };

/**
 * The groups whose fields were all sent; an incomplete group counts as absent. See protocol/push#registering, check 4.
 */
export function completeGroups(sent: Sent<KeyGroup> & Sent<TokenGroup>): Groups {
  const { push_key, push_key_id, token_kind, token_id, bouncer_public_key, encrypted_push_registration } = sent;
  const key = push_key !== undefined && push_key_id !== undefined ? { push_key, push_key_id } : undefined;
  const hasToken =
    token_kind !== undefined &&
    token_id !== undefined &&
    bouncer_public_key !== undefined &&
    encrypted_push_registration !== undefined;
  const token = hasToken ? { token_kind, token_id, bouncer_public_key, encrypted_push_registration } : undefined;
  if (!key && !token) throw IncompleteRegistration();
  return { key, token };
}

/** Throws unless a device may register the groups. See protocol/push#registering, checks 5 to 10. */
export function assertRegistrable(device: DeviceRow, { key, token }: Groups): void {
  if (!token) {
    if (device.push_key === null) throw NoKeyToRotate();
    return assertPushKey(key);
  }
  if (device.pending_push_token_id !== null && device.push_registration_error_code === null)
    throw RegistrationInProgress();
  if (parseBase64(token.token_id) === undefined) throw InvalidTokenId();
  assertPushKey(key);
  if (!key && device.push_key === null) throw NoTokenToRotate();
}

function assertPushKey(key: KeyGroup | undefined): void {
  if (key && !parsePushKey(key.push_key)) throw InvalidPushKey();
}

/** Whether the push service has accepted all of this for the device already. See protocol/push#registering. */
export function isRegistered(device: DeviceRow, { key, token }: Groups): boolean {
  const hasKey = !key || (device.push_key === key.push_key && device.push_key_id === key.push_key_id);
  if (!token) return hasKey;
  const hasToken = device.push_token_id === token.token_id && device.push_registration_error_code === null;
  // A rotation of the token alone compares only the ID.
  return hasKey && hasToken && (!key || device.push_token_kind === token.token_kind);
}
