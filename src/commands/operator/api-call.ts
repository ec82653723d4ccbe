import { apiKeyFor } from '#kernel/auth';
import type { UserRow } from '#features/users';
import type { Server } from '../../server.ts';
import { Refusal } from '../refusal.ts';

/** HTTP methods that commands use. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** Parameters by name; values that are not texts are sent as JSON. */
export type Fields = Readonly<Record<string, unknown>>;
/** The fields of a successful reply. */
export type Answer = Readonly<Record<string, unknown>>;

/** A call of the API. */
interface ApiCall {
  readonly account: UserRow;
  /** Host name of the organization. */
  readonly host: string;
  readonly method: Method;
  readonly path: string;
  readonly fields?: Fields | undefined;
}

/** Calls the API of a server in this process as an account. Throws an API error as a refusal with the same text. */
export async function callApi(
  { context, listener }: Server,
  { account, host, method, path, fields = {} }: ApiCall,
): Promise<Answer> {
  const key = apiKeyFor(context.server.secret, account.id, account.api_key_version);
  const form = new URLSearchParams(Object.entries(fields).map(asParameter)).toString();
  const hasBody = method !== 'GET';
  const response = await listener.inject({
    method,
    url: `/api/v1${path}${hasBody || form === '' ? '' : `?${form}`}`,
    headers: {
      host,
      authorization: `Basic ${Buffer.from(`${account.email}:${key}`).toString('base64')}`,
      ...(hasBody && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(hasBody && { payload: form }),
  });
  const body = response.json<Answer>();
  if (body['result'] !== 'success') throw new Refusal(String(body['msg']));
  return body;
}

function asParameter([name, value]: [string, unknown]): [string, string] {
  return [name, typeof value === 'string' ? value : JSON.stringify(value)];
}
