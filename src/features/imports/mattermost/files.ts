import type { ArchiveFiles } from '../source.ts';

/** Where a file that a line names is: paths are written from the data folder, from the archive, or from elsewhere. */
export async function fileIn(files: ArchiveFiles, path: string): Promise<string | undefined> {
  const plain = path.replace(/^(\.{0,2}\/)+/, '');
  for (const tried of [`data/${plain}`, plain, `data/${plain.replace(/^data\//, '')}`])
    if (await files.has(tried)) return tried;
  return undefined;
}
