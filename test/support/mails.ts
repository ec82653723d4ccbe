import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mails that a server without a mail server has written, oldest first, long lines joined. */
export function writtenMails(dataDir: string): readonly string[] {
  return writtenMailFiles(dataDir).map((bytes) => bytes.toString().replaceAll('=\r\n', ''));
}

/** The same as they were written. */
export function writtenMailFiles(dataDir: string): readonly Buffer[] {
  const folder = join(dataDir, 'mails');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name)));
}

/** Lets no mail of a server without a mail server leave, as if that were away, until what it gives is called. */
export function holdMails(dataDir: string): () => void {
  const folder = join(dataDir, 'mails');
  const aside = `${folder}-aside`;
  if (existsSync(folder)) renameSync(folder, aside);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    if (existsSync(aside)) renameSync(aside, folder);
  };
}
