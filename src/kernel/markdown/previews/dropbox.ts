const site = /^https?:\/\/(?:www\.)?dropbox\.com\//;
/** A file that is shared by itself or within a folder, by links of today and of before 2023. */
const sharedFile = /^https?:\/\/(?:www\.)?dropbox\.com\/(?:scl\/fi|s|sh)\/[^?#]+/;

/**
 * Where a file lies that somebody shared by Dropbox; undefined for other addresses
 * (protocol/markdown#images-from-links).
 */
export function dropboxSource(address: string): string | undefined {
  const page = sharedFile.exec(address)?.[0];
  if (page === undefined) return undefined;
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  const parameters = query.split('&').filter((part) => part !== '' && !/^(?:dl|raw)(?:=|$)/.test(part));
  return `${page}?${[...parameters, 'raw=1'].join('&')}`;
}

/** Whether an address is a page of Dropbox that shows no file which could be fetched. */
export const isDropboxPage = (address: string): boolean => site.test(address) && !sharedFile.test(address);
