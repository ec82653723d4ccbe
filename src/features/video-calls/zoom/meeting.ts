import type { CallServices, Context, ZoomService } from '#kernel/context';
import { int, lenientObject, maybe, str } from '#kernel/schema';
import { type Answer, ask, basic, callAddress, isSuccess, readAnswer } from '../ask.ts';

/** Zoom's error codes for an unknown user and for an invalid token. */
const UNKNOWN_USER = 1001;
const INVALID_TOKEN = 124;

const meetingReply = lenientObject({ join_url: str() });
const refusal = lenientObject({ code: maybe(int()) });

/** The services of a server that is connected to Zoom. */
export interface ZoomContext extends Context {
  readonly calls: CallServices & { readonly zoom: ZoomService };
}

export function hasZoom(context: Context): context is ZoomContext {
  return context.calls.zoom !== undefined;
}

/** A meeting of the user with an address, or of the token's owner (`me`). */
interface Meeting {
  readonly host: string;
  readonly isVideo: boolean;
}

/** Creates a meeting. */
export function askMeeting(
  context: ZoomContext,
  token: string,
  { host, isVideo }: Meeting,
): Promise<Answer | undefined> {
  const settings = { host_video: isVideo, participant_video: isVideo };
  return ask(context, 'Zoom', {
    url: `${apiOf(context.calls.zoom)}/v2/users/${encodeURIComponent(host)}/meetings`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // With a password in the address, because otherwise meetings of many accounts would begin with a waiting room.
    body: JSON.stringify({ settings, default_password: true }),
  });
}

/** Requests tokens. See protocol/organizations#zoom. */
export function askTokens(context: ZoomContext, form: Readonly<Record<string, string>>): Promise<Answer | undefined> {
  const { url, name, secret } = context.calls.zoom;
  return ask(context, 'Zoom', {
    url: `${url}/oauth/token`,
    headers: { authorization: basic(name, secret), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** The address to join the meeting; undefined if there is none. */
export function joinUrl(answer: Answer | undefined): string | undefined {
  return isSuccess(answer) ? callAddress(readAnswer(meetingReply, answer)?.join_url) : undefined;
}

export function isTokenRefused(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.status === 401 || readAnswer(refusal, answer)?.code === INVALID_TOKEN);
}

export function isUserUnknown(answer: Answer | undefined): boolean {
  return answer !== undefined && !isSuccess(answer) && readAnswer(refusal, answer)?.code === UNKNOWN_USER;
}

/** Whether Zoom refused the request permanently, rather than being busy or broken. */
export function isRefused(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
}

/** The API has a host of its own, different from the one that issues tokens. */
function apiOf({ url }: ZoomService): string {
  const { protocol, hostname, host, origin } = new URL(url);
  const isName = /[a-z]$/i.test(hostname) && hostname.includes('.');
  return isName ? `${protocol}//api.${host}` : origin;
}
