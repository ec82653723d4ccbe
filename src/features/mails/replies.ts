import { keyEnded } from '#features/users';
import { type Clock, SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { asId, type RealmId } from '#kernel/ids';
import { mailAddressFor } from '#kernel/mail';
import { sha256 } from '#kernel/secretbox';
import { on } from '#kernel/slice';
import { ofRealm, type ReadTx, type RealmWriteTx } from '#kernel/store';
import { deleteRepliesBefore, deleteRepliesOf, findReply, putReply } from './queries.ts';
import type { ReplyRow } from './tables.ts';

/** Seconds during which a mail about missed messages can be answered: long enough for most, but not forever. */
const REPLY_SECONDS = 60 * SECONDS_PER_DAY;
/** Lower-case letters and digits of a token: 120 bits. */
const TOKEN_LENGTH = 26;
const LOCAL = /^r([0-9a-z]{1,8})-([0-9a-z]{26})$/;

/** A reply address and its row. */
export interface ReplyAddress {
  readonly address: string;
  readonly row: ReplyRow;
}

/** Makes the token that makes a reply address unguessable. */
export function newReplyToken(clock: Pick<Clock, 'token'>): string {
  return clock.token(TOKEN_LENGTH).toLowerCase();
}

/** A reply address for one person in the conversation of a message; undefined if the server receives no mail. */
export function newReplyAddress(
  { server, clock }: Pick<Context, 'server' | 'clock'>,
  answering: Pick<ReplyRow, 'realm_id' | 'user_id' | 'message_id'>,
  token: string,
): ReplyAddress | undefined {
  if (server.mailInAddress === undefined) return undefined;
  const local = `r${answering.realm_id.toString(36)}-${token}`;
  return {
    address: mailAddressFor(server.mailInAddress, local),
    row: { ...answering, token_hash: sha256(token), expires_at: clock.now() + REPLY_SECONDS },
  };
}

/** Stores a reply address before the mail that names it is sent, and deletes expired ones. */
export async function keepReply(tx: RealmWriteTx, { row }: ReplyAddress): Promise<void> {
  await deleteRepliesBefore(tx, tx.now);
  await putReply(tx, row);
}

/** Finds a reply address by the text in place of the asterisk; undefined if it has expired or never existed. */
export async function findReplyByLocal(tx: ReadTx, local: string): Promise<ReplyRow | undefined> {
  const [, realm, token] = LOCAL.exec(local) ?? [];
  if (realm === undefined || token === undefined) return undefined;
  const row = await findReply(ofRealm(tx, asId<RealmId>(Number.parseInt(realm, 36))), sha256(token));
  return row && row.expires_at >= tx.now ? row : undefined;
}

/** Deletes all reply addresses of somebody who has left. */
export const endReplies = deleteRepliesOf;

/** Deletes the reply addresses of a person who revokes their key, so that nobody can write in their name any more. */
export const onKeyEnded = on(keyEnded, (tx, { userId }) => deleteRepliesOf(tx, userId));
