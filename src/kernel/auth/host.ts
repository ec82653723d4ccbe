let rootOf = { externalUrl: '', host: '' };

/** Host of the server's address; cached, because every request needs it. */
function rootHost(externalUrl: string): string {
  if (rootOf.externalUrl !== externalUrl) rootOf = { externalUrl, host: new URL(externalUrl).hostname.toLowerCase() };
  return rootOf.host;
}

/** What a server knows of where people reach it. */
export interface ServerAddress {
  /** Address of the root domain, without a trailing slash. */
  readonly externalUrl: string;
}

/** Address of the organization on a subdomain, without a trailing slash. */
export function realmUrlOf(subdomain: string, { externalUrl }: ServerAddress): string {
  if (subdomain === '') return externalUrl;
  const url = new URL(externalUrl);
  url.hostname = `${subdomain}.${url.hostname}`;
  return url.href.replace(/\/+$/, '');
}

/** Host name of the organization on a subdomain, as used in made-up email addresses. */
export function realmHostOf(subdomain: string, { externalUrl }: ServerAddress): string {
  const root = rootHost(externalUrl);
  return subdomain === '' ? root : `${subdomain}.${root}`;
}
