const sharedFile = /^https?:\/\/(?:www\.)?dropbox\.com\/scl\/fi\/[^?#]+/;

/** Where a file lies that somebody shared by Dropbox; undefined for other addresses (contract 2.13). */
export function dropboxSource(address: string): string | undefined {
  const page = sharedFile.exec(address)?.[0];
  if (page === undefined) return undefined;
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? [];
  const parameters = query.split('&').filter((part) => part !== '' && !/^(?:dl|raw)(?:=|$)/.test(part));
  return `${page}?${[...parameters, 'raw=1'].join('&')}`;
}
