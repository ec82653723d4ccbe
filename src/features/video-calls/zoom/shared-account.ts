import type { CallServices, ReadContext, ZoomService } from '#kernel/context';
import { int, lenientObject, maybe, str } from '#kernel/schema';
import { isSuccess, readAnswer } from '../ask.ts';
import * as errors from '../errors.ts';
import {
  askMeeting,
  askTokens,
  isRefused,
  isTokenRefused,
  isUserUnknown,
  joinUrl,
  type ZoomContext,
} from './meeting.ts';

/** Seconds before its expiry from which on a token is no longer used. */
const SPARE_SECONDS = 60;

const tokenReply = lenientObject({ access_token: str(), expires_in: maybe(int()) });

interface Token {
  readonly text: string;
  /** Expiry in milliseconds of the monotonic clock. */
  readonly endsMs: number;
}

const tokens = new WeakMap<ReadContext['calls'], Token>();

/** The services of a server whose people share one account at Zoom. */
interface SharedZoomContext extends ZoomContext {
  readonly calls: CallServices & { readonly zoom: ZoomService & { readonly account: string } };
}

export function isShared(context: ZoomContext): context is SharedZoomContext {
  return context.calls.zoom.account !== undefined;
}

/**
 * Creates a meeting of the Zoom user with the same address, and returns the address to join it. See
 * protocol/organizations#zoom.
 */
export async function createSharedCall(context: SharedZoomContext, host: string, isVideo: boolean): Promise<string> {
  const isCached = tokens.has(context.calls);
  const meet = async () => askMeeting(context, await tokenOf(context), { host, isVideo });
  let answer = await meet();
  // A token may be revoked before its expiry: one more attempt with a new one.
  if (isCached && isTokenRefused(answer)) {
    tokens.delete(context.calls);
    answer = await meet();
  }
  if (isUserUnknown(answer)) throw errors.UnknownZoomUser();
  if (isTokenRefused(answer)) tokens.delete(context.calls);
  const url = joinUrl(answer);
  if (url === undefined) throw errors.ZoomFailed();
  return url;
}

async function tokenOf(context: SharedZoomContext): Promise<string> {
  const now = context.clock.monotonicMs();
  const cached = tokens.get(context.calls);
  if (cached && now < cached.endsMs) return cached.text;
  const { account } = context.calls.zoom;
  const answer = await askTokens(context, { grant_type: 'account_credentials', account_id: account });
  if (isRefused(answer)) throw errors.ZoomCredentialsWrong();
  const reply = isSuccess(answer) ? readAnswer(tokenReply, answer) : undefined;
  if (!reply) throw errors.ZoomFailed();
  const endsMs = now + ((reply.expires_in ?? 0) - SPARE_SECONDS) * 1000;
  tokens.set(context.calls, { text: reply.access_token, endsMs });
  return reply.access_token;
}
