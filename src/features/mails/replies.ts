import { createHash } from 'node:crypto';
import { keyEnded } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import { type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { asId, type MessageId, type RealmId, type UserId } from '#kernel/ids';
import { mailAddressFor } from '#kernel/mail';
import { on } from '#kernel/slice';
import { ofRealm, type ReadTx, type RealmWriteTx } from '#kernel/store';
import { deleteRepliesBefore, deleteRepliesOf, findReply, putReply } from './queries.ts';
import type { ReplyRow } from './tables.ts';

/** Seconds for which a mail about missed messages can be answered: longer than most are looked for, and no account for life. */
const REPLY_SECONDS = 60 * SECONDS_PER_DAY;
/** Letters and digits of a token, of which capitals are none: 120 bits. */
const TOKEN_LENGTH = 26;
const LOCAL = /^r([0-9a-z]{1,8})-([0-9a-z]{26})$/;

/** An address for answers, and what is stored of it. */
export interface ReplyAddress {
  readonly address: string;
  readonly row: ReplyRow;
}

/** What makes an address for answers that nobody guesses. */
export function newReplyToken(clock: Pick<Clock, 'token'>): string {
  return clock.token(TOKEN_LENGTH).toLowerCase();
}

/** An address by which one person answers in the conversation of a message; undefined where no mail is taken. */
export function newReplyAddress(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  realm: Pick<RealmRef, 'id'>,
  user_id: UserId,
  message_id: MessageId,
  token: string,
): ReplyAddress | undefined {
  if (server.mailInAddress === undefined) return undefined;
  const local = `r${realm.id.toString(36)}-${token}`;
  const row = { realm_id: realm.id, token_hash: hashOf(token), user_id, message_id };
  return {
    address: mailAddressFor(server.mailInAddress, local),
    row: { ...row, expires_at: clock.now() + REPLY_SECONDS },
  };
}

/** Stores an address before the mail leaves that names it, and forgets those that are over. */
export async function keepReply(tx: RealmWriteTx, { row }: ReplyAddress): Promise<void> {
  await deleteRepliesBefore(tx, tx.now);
  await putReply(tx, row);
}

/** Whose answer goes where, by what stands for the asterisk; undefined of what is over, or never was. */
export async function findReplyByLocal(tx: ReadTx, local: string): Promise<ReplyRow | undefined> {
  const [, realm, token] = LOCAL.exec(local) ?? [];
  if (realm === undefined || token === undefined) return undefined;
  const row = await findReply(ofRealm(tx, asId<RealmId>(Number.parseInt(realm, 36))), hashOf(token));
  return row && row.expires_at >= tx.now ? row : undefined;
}

/** Ends all addresses by which somebody could answer: they have left. */
export const endReplies = deleteRepliesOf;

/** A person who revokes their key wants nobody else to write in their name. */
export const onKeyEnded = on(keyEnded, (_context, tx, { userId }) => deleteRepliesOf(tx, userId));

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
