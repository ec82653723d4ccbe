/** Credentials of this server at the object store. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where the files are stored in an object store. */
export interface S3Address extends S3Credentials {
  /** The bucket's own URL, path style, without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  /** Prefix of every object's name: empty, or folders with a slash at the end. */
  readonly prefix: string;
}

const FORM = 's3://[key:secret@]bucket[/prefix][?endpoint=https://…&region=…]';
const DEFAULT_REGION = 'us-east-1';
const PARAMETERS = ['endpoint', 'region'];

/**
 * Reads `s3://[key:secret@]bucket[/prefix]?endpoint=…&region=…`. Credentials in the URL go before those handed in; without an
 * endpoint it is Amazon's of the region. Throws a sentence for people, which never repeats a secret.
 */
export function parseS3Address(text: string, handedIn?: S3Credentials): S3Address {
  const url = readUrl(text);
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown) throw new Error(`the object store's URL has an unknown parameter "${unknown}"; expected ${FORM}`);
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  const service = readEndpoint(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  const folders = url.pathname.split('/').filter((part) => part !== '');
  return {
    ...readCredentials(url, handedIn),
    endpoint: `${service}/${url.host}`,
    region,
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
  };
}

/** What is wrong with the address of an object store; undefined when nothing is. */
export function s3AddressFault(text: string): string | undefined {
  try {
    parseS3Address(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:' || url.host === '') throw new Error(`not the URL of an object store; expected ${FORM}`);
  return url;
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isService = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isService) throw new Error('the endpoint of the object store must be a plain http or https URL');
  return url.href.replace(/\/+$/, '');
}

function readCredentials(url: URL, handedIn: S3Credentials | undefined): S3Credentials {
  const accessKeyId = decodeURIComponent(url.username) || handedIn?.accessKeyId;
  const secretAccessKey = decodeURIComponent(url.password) || handedIn?.secretAccessKey;
  if (!accessKeyId || !secretAccessKey) throw new Error('the object store needs an access key and its secret');
  return { accessKeyId, secretAccessKey };
}
