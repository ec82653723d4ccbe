import type { Actor } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { holdLog } from '#kernel/events';
import type { MessageId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import type { RealmWriteTx } from '#kernel/store';
import { deleteKeysBefore, findSent, insertKeys } from './queries.ts';
import type { SendInput, Sent } from './send.ts';

/** The reply to a send: the message's ID, and the sender's new visibility policy of the topic, if any. */
export interface SendAnswer {
  readonly id: MessageId;
  readonly policy: Sent['policy'];
}

/** Seconds for which the key of a sent message is stored: a day. */
const KNOWN_SECONDS = SECONDS_PER_DAY;

/**
 * Hash of a send's idempotency key with its content and destination: the same key with another message is another send.
 * Undefined where the client gives no key.
 */
export function keyOfSend(actor: Actor, input: SendInput): string | undefined {
  const { idempotency_key, type, to, topic, content } = input;
  if (idempotency_key === undefined) return undefined;
  const whole = JSON.stringify([actor.userId, idempotency_key, type, to, topic, content]);
  return sha256(whole, 'base64url');
}

/** Sends under way in this process, by key: the writes of one write batch do not see each other's keys. */
const underWay = new Map<string, Promise<unknown>>();

/** Runs a send after those of the same key that are under way. */
export async function afterSame<T>(key: string | undefined, send: () => Promise<T>): Promise<T> {
  if (key === undefined) return send();
  for (let other = underWay.get(key); other; other = underWay.get(key)) await other;
  const own = send();
  const forget = () => underWay.delete(key);
  underWay.set(key, own.then(forget, forget));
  return own;
}

/** Stores a message with its key; returns the stored message where the key is known already. */
export async function storedOnce(
  tx: RealmWriteTx,
  key: string | undefined,
  store: () => Promise<Sent>,
): Promise<SendAnswer> {
  if (key === undefined) return answerTo(await store());
  // Another process may be storing the same message.
  await holdLog(tx);
  const known = await findSent(tx, key);
  if (known !== undefined) return { id: known, policy: undefined };
  const sent = await store();
  const { id: message_id, realm_id, sent_at } = sent.message;
  tx.beforeCommit(insertKeys, { key_hash: key, realm_id, message_id, sent_at });
  return answerTo(sent);
}

const answerTo = ({ message, policy }: Sent): SendAnswer => ({ id: message.id, policy });

/** Deletes up to `limit` keys that are older than `KNOWN_SECONDS`; returns how many. */
export function forgetKeys(tx: RealmWriteTx, limit: number): Promise<number> {
  return deleteKeysBefore(tx, tx.now - KNOWN_SECONDS, limit);
}
