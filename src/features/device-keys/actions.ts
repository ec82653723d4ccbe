import {
  type Actor,
  deleteDeviceKey,
  hashOfKey,
  insertDeviceKey,
  type KeyKind,
  keyOfAppPassword,
  type KeyScope,
  listDeviceKeys,
  MAX_DEVICE_KEYS,
  newAppPassword,
} from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { deleteQueuesOf } from '#kernel/events';
import { invariant } from '#kernel/errors';
import { queueMail } from '#features/mails';
import { lockUser } from '#features/users';
import type { UserId } from '#kernel/ids';
import { signal } from '#kernel/slice';
import { NoSuchKey, TooManyKeys } from './errors.ts';

/** Length of a key, in characters. */
const KEY_LENGTH = 32;

/** The request for a new key. */
export interface NewKey {
  readonly kind: KeyKind;
  readonly name: string;
  readonly scope: KeyScope;
  /** Days until it expires; null for never. */
  readonly days: number | null;
}

/**
 * Creates a key, or a password for one app; the secret is returned only here. Mails the owner. See
 * protocol/authentication#device-keys.
 */
export function addKey(
  context: Context,
  { realm, userId }: Actor,
  { days, ...wanted }: NewKey,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { clock, server } = context;
  const isPassword = wanted.kind === 'app_password';
  const secret = isPassword ? newAppPassword((length) => clock.token(length)) : clock.token(KEY_LENGTH);
  const key = isPassword ? keyOfAppPassword(server.secret, userId, secret) : secret;
  invariant(key, 'an app password that stands for no key');
  return context.store.in(realm).write(async (tx) => {
    const user = await lockUser(tx, userId);
    if ((await listDeviceKeys(tx, userId)).length >= MAX_DEVICE_KEYS) throw TooManyKeys();
    const ends_at = days === null ? null : tx.now + days * SECONDS_PER_DAY;
    const row = { ...wanted, realm_id: realm.id, user_id: userId, key_hash: hashOfKey(key), ends_at };
    const id = await insertDeviceKey(tx, row);
    await queueMail(tx, {
      to: { name: user.full_name, address: user.email },
      subject: `A new ${isPassword ? 'app password' : 'API key'} at ${realm.name}`,
      text: `Your account at ${realm.name} has a new ${isPassword ? 'app password' : 'API key'}: ${wanted.name}.\n\nIf it was not you, revoke it in your settings and choose a new password.`,
    });
    return { id, secret };
  });
}

/** A device key or app password was revoked. */
export const deviceKeyEnded = signal<{ readonly userId: UserId; readonly keyId: number }>('device-key-ended');

/**
 * Revokes a key of the caller. Queues do not record which key polls them, so all of the caller's queues end, and
 * clients that are still in use register again.
 */
export function revokeKey(context: Context, { realm, userId }: Actor, id: number): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    if (!(await deleteDeviceKey(tx, userId, id))) throw NoSuchKey();
    await deleteQueuesOf(tx, [userId]);
    await deviceKeyEnded.send(tx, { userId, keyId: id }, context);
  });
}
