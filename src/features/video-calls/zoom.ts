import type { Context, ReadContext, Service } from '#kernel/context';
import { int, lenientObject, maybe, str } from '#kernel/schema';
import { type Answer, ask, basic, callAddress, isSuccess, readAs } from './ask.ts';
import * as errors from './errors.ts';

/** Seconds before its end when a token is not used any more. */
const SPARE_SECONDS = 60;
/** What Zoom calls somebody it does not know, and a token that does not count. */
const UNKNOWN_USER = 1001;
const INVALID_TOKEN = 124;

const tokenReply = lenientObject({ access_token: str(), expires_in: maybe(int()) });
const meetingReply = lenientObject({ join_url: str() });
const refusal = lenientObject({ code: maybe(int()) });

interface Token {
  readonly text: string;
  /** Milliseconds of the monotonic clock. */
  readonly endsMs: number;
}

const tokens = new WeakMap<ReadContext['calls'], Token>();

/** Makes a meeting of somebody whom Zoom knows by the same address; where to join it. See protocol/organizations#calls. */
export async function createZoomCall(context: Context, email: string, isVideo: boolean): Promise<string> {
  const { zoom } = context.calls;
  if (!zoom) throw errors.ZoomNotConfigured();
  const isKept = tokens.has(context.calls);
  let answer = await createMeeting(context, zoom, email, isVideo);
  // A token may end before its time: one more try with a new one.
  if (isKept && isTokenRefused(answer)) {
    tokens.delete(context.calls);
    answer = await createMeeting(context, zoom, email, isVideo);
  }
  if (answer && !isSuccess(answer) && readAs(refusal, answer)?.code === UNKNOWN_USER) throw errors.UnknownZoomUser();
  if (isTokenRefused(answer)) tokens.delete(context.calls);
  const url = isSuccess(answer) ? callAddress(readAs(meetingReply, answer)?.join_url) : undefined;
  if (url === undefined) throw errors.ZoomFailed();
  return url;
}

async function createMeeting(context: Context, zoom: Service, email: string, isVideo: boolean) {
  const token = await tokenOf(context, zoom);
  const settings = { host_video: isVideo, participant_video: isVideo };
  return ask(context, 'Zoom', {
    url: `${apiOf(zoom)}/v2/users/${encodeURIComponent(email)}/meetings`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    // With a password in the address, or meetings of many accounts would begin with a waiting room.
    body: JSON.stringify({ settings, default_password: true }),
  });
}

async function tokenOf(context: Context, { url, name, secret }: Service): Promise<string> {
  const now = context.clock.monotonicMs();
  const kept = tokens.get(context.calls);
  if (kept && now < kept.endsMs) return kept.text;
  const { origin, pathname } = new URL(url);
  const form = { grant_type: 'account_credentials', account_id: decodeURIComponent(pathname.slice(1)) };
  const answer = await ask(context, 'Zoom', {
    url: `${origin}/oauth/token`,
    headers: { authorization: basic(name, secret), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  if (answer && answer.status >= 400 && answer.status < 500) throw errors.ZoomCredentialsWrong();
  const reply = isSuccess(answer) ? readAs(tokenReply, answer) : undefined;
  if (!reply) throw errors.ZoomFailed();
  const endsMs = now + ((reply.expires_in ?? 0) - SPARE_SECONDS) * 1000;
  tokens.set(context.calls, { text: reply.access_token, endsMs });
  return reply.access_token;
}

function isTokenRefused(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.status === 401 || readAs(refusal, answer)?.code === INVALID_TOKEN);
}

/** The API has a host of its own beside the one that gives tokens. */
function apiOf({ url }: Service): string {
  const { protocol, hostname, host, origin } = new URL(url);
  const isName = /[a-z]$/i.test(hostname) && hostname.includes('.');
  return isName ? `${protocol}//api.${host}` : origin;
}
