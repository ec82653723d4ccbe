import { createHash } from 'node:crypto';
import { assertMaySend, type Destination, prepareMessage, sendPrepared } from '#features/messages';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { logBatch } from '#kernel/events';
import type { Letter, ReceivedMail } from '#kernel/mail';
import { storeFiles } from './files.ts';
import { hasReceived, insertReceived } from './queries.ts';

/** A message that a mail becomes. */
export interface Posting {
  readonly realm: RealmRef;
  readonly actor: Actor;
  readonly destination: Destination;
  readonly text: string;
  readonly isFromMail: boolean;
}

/** Stores a mail as a message, once; files come first, and none of somebody who may not send. */
export async function post(
  context: Context,
  { to, bytes }: Letter,
  mail: ReceivedMail,
  { realm, actor, destination, text, isFromMail }: Posting,
): Promise<'stored' | 'known'> {
  const name = mail.id === '' ? createHash('sha256').update(bytes).digest('hex') : mail.id;
  const hash = createHash('sha256').update(`${to.toLowerCase()}\n${name}`).digest('hex');
  if (await context.store.in(realm).query((tx) => hasReceived(tx, hash))) return 'known';
  const first = await prepareMessage(context, actor, text === '' ? '…' : text, { isFromMail, isRead: true });
  await context.store.in(realm).read((tx) => assertMaySend(tx, first, destination));
  const files = await storeFiles(context, actor, mail);
  const whole = [text, files.join('\n')].filter(Boolean).join('\n\n');
  const outgoing =
    files.length === 0 ? first : await prepareMessage(context, actor, whole, { isFromMail, isRead: true });
  const isNew = await context.store.in(realm).write(async (tx) => {
    const isFirst = await insertReceived(tx, hash);
    if (isFirst) await sendPrepared(context, tx, outgoing, destination);
    return isFirst;
  }, logBatch(realm.id));
  return isNew ? 'stored' : 'known';
}
