import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mails that a server without a mail server has written to files, oldest first, with long lines joined. */
export function writtenMails(dataDir: string): readonly string[] {
  return writtenMailFiles(dataDir).map((bytes) => bytes.toString().replaceAll('=\r\n', ''));
}

/** The same mails, byte for byte. */
export function writtenMailFiles(dataDir: string): readonly Buffer[] {
  const folder = join(dataDir, 'mails');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name)));
}

/** Makes a server without a mail server unable to send mails, until the returned function is called. */
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
