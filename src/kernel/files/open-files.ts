import { fileURLToPath } from 'node:url';
import type { Clock } from '#kernel/clock';
import { openDisk } from './disk.ts';
import type { Files } from './files.ts';
import { openS3 } from './s3.ts';
import { parseS3Address, type S3Credentials } from './s3-address.ts';

/** Options for opening files; credentials only where an `s3:` URL does not carry them. */
export interface FilesOptions {
  readonly clock: Clock;
  readonly credentials?: S3Credentials;
}

/** Opens the files at a place: the path of a folder, a `file:` URL, or an `s3:` URL (`s3-address.ts`). */
export async function openFiles(place: string, { clock, credentials }: FilesOptions): Promise<Files> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(place)?.[1]?.toLowerCase();
  if (scheme === undefined) return openDisk(place);
  if (scheme === 's3') return openS3(parseS3Address(place, credentials), { clock });
  if (scheme === 'file') return openDisk(fileURLToPath(place));
  throw new Error(`files cannot be kept at a "${scheme}" URL; expected a folder or s3://…`);
}
