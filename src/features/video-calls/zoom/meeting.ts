import type { Context, ZoomService } from '#kernel/context';
import { int, lenientObject, maybe, str } from '#kernel/schema';
import { type Answer, ask, basic, callAddress, isSuccess, readAs } from '../ask.ts';

/** What Zoom calls somebody it does not know, and a token that does not count. */
const UNKNOWN_USER = 1001;
const INVALID_TOKEN = 124;

const meetingReply = lenientObject({ join_url: str() });
const refusal = lenientObject({ code: maybe(int()) });

/** Asks for a meeting: of the owner of the token (`me`), or of somebody by their address. */
export function askMeeting(
  context: Context,
  zoom: ZoomService,
  token: string,
  host: string,
  isVideo: boolean,
): Promise<Answer | undefined> {
  const settings = { host_video: isVideo, participant_video: isVideo };
  return ask(context, 'Zoom', {
    url: `${apiOf(zoom)}/v2/users/${encodeURIComponent(host)}/meetings`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // With a password in the address, or meetings of many accounts would begin with a waiting room.
    body: JSON.stringify({ settings, default_password: true }),
  });
}

/** Asks for tokens. See protocol/organizations#zoom. */
export function askTokens(
  context: Pick<Context, 'calls' | 'log'>,
  { url, name, secret }: ZoomService,
  form: Readonly<Record<string, string>>,
): Promise<Answer | undefined> {
  return ask(context, 'Zoom', {
    url: `${url}/oauth/token`,
    headers: { authorization: basic(name, secret), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** Where the meeting is joined; undefined where there is none. */
export function joinUrl(answer: Answer | undefined): string | undefined {
  return isSuccess(answer) ? callAddress(readAs(meetingReply, answer)?.join_url) : undefined;
}

export function isTokenRefused(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.status === 401 || readAs(refusal, answer)?.code === INVALID_TOKEN);
}

export function isUserUnknown(answer: Answer | undefined): boolean {
  return answer !== undefined && !isSuccess(answer) && readAs(refusal, answer)?.code === UNKNOWN_USER;
}

/** Whether Zoom says no to what it was asked for, and would say so again; not that it is busy or broken. */
export function isRefused(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
}

/** The API has a host of its own beside the one that gives tokens. */
function apiOf({ url }: ZoomService): string {
  const { protocol, hostname, host, origin } = new URL(url);
  const isName = /[a-z]$/i.test(hostname) && hostname.includes('.');
  return isName ? `${protocol}//api.${host}` : origin;
}
