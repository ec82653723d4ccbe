import { createHmac } from 'node:crypto';
import type { ChannelRow } from '#features/channels';
import { type Actor, constantTimeEqual } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { asId, type ChannelId, type RealmId, type UserId } from '#kernel/ids';
import { mailAddressFor } from '#kernel/mail';

/** The contents of a channel's mail address. */
export interface ChannelMail {
  readonly realmId: RealmId;
  readonly channelId: ChannelId;
  /** The account that posts the mails; 0 for the mail gateway. */
  readonly senderId: number;
  /** The user who asked for the address; their permission to post is what counts. */
  readonly creatorId: UserId;
}

const TOKEN = /^c([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-f]{20})$/;
/**
 * Longest channel name in an address: with the token and the operator's prefix the local part fits into 64 characters.
 */
const MAX_WORDS = 12;

/**
 * The mail address of a channel for the actor: always the same for the same channel, sender and actor, and impossible
 * to guess. See protocol/mail#receiving.
 */
export function channelMailAddress(
  context: Pick<ReadContext, 'server'>,
  { realm, userId: creatorId }: Actor,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  senderId: number,
): string {
  const words = channel.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, MAX_WORDS).replace(/-+$/, '');
  const ids = [realm.id, channel.id, senderId, creatorId];
  const token = `c${ids.map((id) => id.toString(36)).join('-')}-${proofOf(context, ids)}`;
  const local = name === '' ? token : `${name}.${token}`;
  return mailAddressFor(context.server.mailInAddress ?? `*@${realm.host}`, local);
}

/** Parses one part of the text in place of the asterisk; undefined unless it is a valid token. */
export function channelMailIn(context: Pick<ReadContext, 'server'>, part: string): ChannelMail | undefined {
  const [, ...found] = TOKEN.exec(part) ?? [];
  const proof = found.pop();
  if (proof === undefined) return undefined;
  const [realmId = 0, channelId = 0, senderId = 0, creatorId = 0] = found.map((text) => Number.parseInt(text, 36));
  if (!constantTimeEqual(proof, proofOf(context, [realmId, channelId, senderId, creatorId]))) return undefined;
  return { realmId: asId(realmId), channelId: asId(channelId), senderId, creatorId: asId(creatorId) };
}

function proofOf({ server }: Pick<ReadContext, 'server'>, ids: readonly number[]): string {
  return createHmac('sha256', server.secret)
    .update(`channel-mail:${ids.join(':')}`)
    .digest('hex')
    .slice(0, 20);
}
