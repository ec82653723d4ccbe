import { Readable } from 'node:stream';
import { assertMaySend, type Destination, prepareMessage, sendPrepared } from '#features/messages';
import { receiveFile } from '#features/uploads';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import { logBatch } from '#kernel/events';
import type { Letter, MailFile, ReceivedMail } from '#kernel/mail';
import { refusalIn } from '#kernel/refusals';
import { sha256 } from '#kernel/secretbox';
import { hasReceived, insertReceived } from './queries.ts';
import { wordsOf } from './words.ts';

/**
 * Stores a mail's files as uploads of its author; returns lines of Markdown that link them and say how many were left
 * out.
 */
async function storeFiles(
  context: Context,
  actor: Actor,
  { files, filesLeft }: ReceivedMail,
): Promise<readonly string[]> {
  const lines: string[] = [];
  // In sequence, because a mail may use up the quota.
  for (const file of files) lines.push(await storeFile(context, actor, file));
  return filesLeft > 0 ? [...lines, wordsOf(actor.realm).moreLeftOut(filesLeft)] : lines;
}

async function storeFile(context: Context, actor: Actor, file: MailFile): Promise<string> {
  const label = file.name.replaceAll(/[[\]*`<>@#\\]/g, '_').slice(0, 100);
  try {
    const row = await receiveFile(context, actor, {
      fieldName: 'file',
      filename: encodeURIComponent(file.name.slice(0, 200).replaceAll(/\p{Cs}/gu, '')),
      contentType: file.type,
      stream: Readable.from([Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength)]),
      hold: () => undefined,
      isLast: () => Promise.resolve(true),
    });
    return `[${label}](/user_uploads/${row.path_id})`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return wordsOf(actor.realm).leftOut(label, refusalIn(actor.realm.language, error.message));
  }
}

/** A message to be made from a mail. */
export interface Posting {
  readonly realm: RealmRef;
  readonly actor: Actor;
  readonly destination: Destination;
  readonly text: string;
  readonly isFromMail: boolean;
}

/**
 * Posts a mail as a message, at most once. Files are stored first, but only if the author may send to the destination.
 */
export async function post(
  context: Context,
  { to, hash: contentHash }: Letter,
  mail: ReceivedMail,
  { realm, actor, destination, text, isFromMail }: Posting,
): Promise<'stored' | 'known'> {
  const name = mail.id === '' ? contentHash : mail.id;
  const hash = sha256(`${to.toLowerCase()}\n${name}`);
  if (await context.store.in(realm).query((tx) => hasReceived(tx, hash))) return 'known';
  const prepare = (content: string) => prepareMessage(context, actor, { content, isFromMail, isRead: true });
  const first = await prepare(text === '' ? '…' : text);
  await context.store.in(realm).read((tx) => assertMaySend(tx, first, destination));
  const files = await storeFiles(context, actor, mail);
  const whole = [text, files.join('\n')].filter(Boolean).join('\n\n');
  const outgoing = files.length === 0 ? first : await prepare(whole);
  const isNew = await context.store.in(realm).write(async (tx) => {
    const isFirst = await insertReceived(tx, hash);
    if (isFirst) await sendPrepared(context, tx, outgoing, destination);
    return isFirst;
  }, logBatch(realm.id));
  return isNew ? 'stored' : 'known';
}
