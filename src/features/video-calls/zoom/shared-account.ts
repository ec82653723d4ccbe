import type { Context, ReadContext, ZoomService } from '#kernel/context';
import { int, lenientObject, maybe, str } from '#kernel/schema';
import { isSuccess, readAs } from '../ask.ts';
import * as errors from '../errors.ts';
import { askMeeting, askTokens, isRefused, isTokenRefused, isUserUnknown, joinUrl } from './meeting.ts';

/** Seconds before its end when a token is not used any more. */
const SPARE_SECONDS = 60;

const tokenReply = lenientObject({ access_token: str(), expires_in: maybe(int()) });

interface Token {
  readonly text: string;
  /** Milliseconds of the monotonic clock. */
  readonly endsMs: number;
}

const tokens = new WeakMap<ReadContext['calls'], Token>();

/** A Zoom service that one account pays for. */
type SharedZoom = ZoomService & { readonly account: string };

export function isShared(zoom: ZoomService): zoom is SharedZoom {
  return zoom.account !== undefined;
}

/** Makes a meeting of the Zoom user with the same address, and returns where to join it. See protocol/organizations#zoom. */
export async function createSharedCall(
  context: Context,
  zoom: SharedZoom,
  email: string,
  isVideo: boolean,
): Promise<string> {
  const isKept = tokens.has(context.calls);
  const meet = async () => askMeeting(context, zoom, await tokenOf(context, zoom), email, isVideo);
  let answer = await meet();
  // A token may end before its time: one more try with a new one.
  if (isKept && isTokenRefused(answer)) {
    tokens.delete(context.calls);
    answer = await meet();
  }
  if (isUserUnknown(answer)) throw errors.UnknownZoomUser();
  if (isTokenRefused(answer)) tokens.delete(context.calls);
  const url = joinUrl(answer);
  if (url === undefined) throw errors.ZoomFailed();
  return url;
}

async function tokenOf(context: Context, zoom: SharedZoom): Promise<string> {
  const now = context.clock.monotonicMs();
  const kept = tokens.get(context.calls);
  if (kept && now < kept.endsMs) return kept.text;
  const answer = await askTokens(context, zoom, { grant_type: 'account_credentials', account_id: zoom.account });
  if (isRefused(answer)) throw errors.ZoomCredentialsWrong();
  const reply = isSuccess(answer) ? readAs(tokenReply, answer) : undefined;
  if (!reply) throw errors.ZoomFailed();
  const endsMs = now + ((reply.expires_in ?? 0) - SPARE_SECONDS) * 1000;
  tokens.set(context.calls, { text: reply.access_token, endsMs });
  return reply.access_token;
}
