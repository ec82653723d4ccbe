const uploadPath = /^\/?user_uploads\/(\d+\/[\p{L}\p{N}_./-]+)$/u;

/** Returns the path ID of the upload at a cleaned address, or undefined (protocol/markdown#own-addresses). */
export function uploadPathId(href: string): string | undefined {
  if (!href.includes('user_uploads/')) return undefined;
  const [path = ''] = href.split(/[?#]/, 1);
  return uploadPath.exec(path)?.[1];
}

const mentioned = /\/user_uploads\/(\d+\/[\p{L}\p{N}_./-]+)/gu;

/** Returns the path IDs of all uploads that a source text may link; may contain some that do not exist. */
export function listUploads(source: string): string[] {
  const found = new Set<string>();
  if (!source.includes('/user_uploads/')) return [];
  for (const [, path = ''] of source.matchAll(mentioned)) found.add(path).add(path.replace(/(?<!\.)\.+$/, ''));
  return [...found];
}
