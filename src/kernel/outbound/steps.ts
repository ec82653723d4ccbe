import { decodeLeniently } from '#kernel/text';
import { OutboundFault, type OutboundRequest } from './outbound.ts';
import { parseTarget } from './targets.ts';

/** What is sent in one step of a request; a redirect makes the next one. */
export interface Step {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** RFC 9110 §15.4. Other 3xx are answers. */
const REDIRECTS = [301, 302, 303, 307, 308];
/** Those that keep method and body. */
const FAITHFUL = [307, 308];
/** Fields that are for the host they were given for, and no other. */
const PERSONAL = ['authorization', 'cookie', 'proxy-authorization'];
/** Fields that describe the body. */
const OF_BODY = ['content-type', 'content-length', 'content-encoding', 'content-language'];

/** The step a request begins with. A name and password in the address become a header of it. */
export function firstStep(userAgent: string, { url: text, method, headers = {}, body }: OutboundRequest): Step {
  const url = parseTarget(text);
  const personal = url.username === '' && url.password === '' ? {} : { authorization: basic(url) };
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return {
    url: withoutUser(url),
    body,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'user-agent': userAgent, ...personal, ...Object.fromEntries(given) },
  };
}

/** The step a reply asks for; undefined when the reply is the answer. */
export function redirectOf(step: Step, status: number, location: string | undefined): Step | undefined {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined;
  const url = withoutUser(parseTarget(location, step.url));
  const isSameOrigin = url.origin === step.url.origin;
  const keepsBody = FAITHFUL.includes(status) || step.body === undefined;
  // A body may hold a token for the host it was meant for.
  if (step.body !== undefined && keepsBody && !isSameOrigin) throw new OutboundFault('redirects');
  const dropped = [...(isSameOrigin ? [] : PERSONAL), ...(keepsBody ? [] : OF_BODY)];
  const headers = Object.fromEntries(Object.entries(step.headers).filter(([name]) => !dropped.includes(name)));
  return keepsBody ? { ...step, url, headers } : { url, headers, method: 'GET', body: undefined };
}

function basic({ username, password }: URL): string {
  const pair = [username, password].map(decodeLeniently).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function withoutUser(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}
