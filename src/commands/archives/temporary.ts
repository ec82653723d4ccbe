import { tmpdir } from 'node:os';
import { Refusal } from '../refusal.ts';

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Writes to the temporary folder; a full disk is refused with the folder's name, which the system does not say. */
export async function inTemporary<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && FULL.has(error.code))) throw error;
    throw new Refusal(`TMPDIR: ${tmpdir()} cannot hold what the archive unpacks to: its disk is full`);
  }
}
