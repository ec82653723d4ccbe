import { createHmac } from 'node:crypto';
import type { ChannelRow } from '#features/channels';
import { constantTimeEqual, type RealmRef } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { asId, type ChannelId, type RealmId, type UserId } from '#kernel/ids';
import { mailAddressFor } from '#kernel/mail';

/** What an address of a channel says. */
export interface ChannelMail {
  readonly realmId: RealmId;
  readonly channelId: ChannelId;
  /** In whose name mails are posted; 0: the mail gateway's. */
  readonly senderId: number;
  /** Who asked for the address, whose right to post it rests on. */
  readonly creatorId: UserId;
}

const TOKEN = /^c([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-z]{1,8})-([0-9a-f]{20})$/;
/** Longest name in an address, so that with the token and what the operator put before it 64 characters suffice. */
const MAX_WORDS = 12;

/** The same for the same channel, sender and asker, and not to be guessed. See protocol/mail#receiving. */
export function channelMailAddress(
  context: Pick<ReadContext, 'server' | 'realmHost'>,
  realm: RealmRef,
  channel: Pick<ChannelRow, 'id' | 'name'>,
  senderId: number,
  creatorId: UserId,
): string {
  const words = channel.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, MAX_WORDS).replace(/-+$/, '');
  const ids = [realm.id, channel.id, senderId, creatorId];
  const token = `c${ids.map((id) => id.toString(36)).join('-')}-${proofOf(context, ids)}`;
  const local = name === '' ? token : `${name}.${token}`;
  return mailAddressFor(context.server.mailInAddress ?? `*@${context.realmHost(realm)}`, local);
}

/** Reads one part of what stands for the asterisk; undefined where it is no token of ours. */
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
