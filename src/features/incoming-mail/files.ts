import { Readable } from 'node:stream';
import { receiveFile } from '#features/uploads';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ApiError } from '#kernel/errors';
import type { MailFile, ReceivedMail } from '#kernel/mail';

/** Stores the files of a mail as uploads of its author; lines of a message that link them, and name those left out. */
export async function storeFiles(
  context: Context,
  actor: Actor,
  { files, filesLeft }: ReceivedMail,
): Promise<readonly string[]> {
  const lines: string[] = [];
  // One after the other: a mail may fill the quota.
  for (const file of files) lines.push(await storeFile(context, actor, file));
  return filesLeft > 0 ? [...lines, `*(${filesLeft} more files were left out)*`] : lines;
}

async function storeFile(context: Context, actor: Actor, file: MailFile): Promise<string> {
  const label = file.name.replaceAll(/[[\]*`<>@#\\]/g, '_').slice(0, 100);
  try {
    const row = await receiveFile(context, actor, {
      fieldName: 'file',
      filename: encodeURIComponent(file.name.slice(0, 200).replaceAll(/\p{Cs}/gu, '')),
      contentType: file.type,
      stream: Readable.from([Buffer.from(file.bytes)]),
      isLast: () => Promise.resolve(true),
    });
    return `[${label}](/user_uploads/${row.path_id})`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `*(${label} was left out: ${error.message})*`;
  }
}
