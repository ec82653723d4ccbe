import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mails that a server without a mail server has written, oldest first, long lines joined. */
export function writtenMails(dataDir: string): readonly string[] {
  const folder = join(dataDir, 'mails');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
}
