import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './durable.ts';

/**
 * The paths of all files below `root/folder`, relative to `root`, with `/` between their parts; `folder` is empty or ends in
 * `/`. Links are not followed. A folder that goes away meanwhile counts as empty.
 */
export async function* walk(root: string, folder: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, `${path}/`);
    else if (entry.isFile()) yield path;
  }
}

async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}
