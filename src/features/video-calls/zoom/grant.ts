import type { Context } from '#kernel/context';
import { seal, unseal } from '#features/sign-in';
import { firstFault, int, lenientObject, object, str, text } from '#kernel/schema';
import { isSuccess, readAnswer } from '../ask.ts';
import { askTokens, isRefused, type ZoomContext } from './meeting.ts';

/** Longest token that is stored, in characters; Zoom's have about 700. */
const MAX_TOKEN = 2500;
/** Seconds before its expiry from which on a token is no longer used. */
const SPARE_SECONDS = 60;

const tokenText = text({ min: 1, max: MAX_TOKEN });
const reply = lenientObject({
  access_token: tokenText,
  refresh_token: tokenText,
  expires_in: int({ min: 0, max: 1e8 }),
});
const shape = object({ access: str(), renewal: str(), ends_at: int() });
/** Somebody's grant to this server at Zoom: an access token for an hour, and a refresh token that works once. */
type Grant = ReturnType<typeof shape.parse>;

const PURPOSE = 'zoom';

/** Seals a grant for the table, so that it is unreadable without the server's secret. */
export function sealGrant(context: Context, grant: Grant): Promise<string> {
  return seal(context, PURPOSE, grant);
}

/** Opens the grant of a row; undefined if the server has another secret now. */
export async function openGrant(context: Context, sealed: string): Promise<Grant | undefined> {
  const read = firstFault(shape, 'grant', await unseal(context, PURPOSE, sealed));
  return 'fault' in read ? undefined : read.value;
}

export function isFresh({ clock }: Pick<Context, 'clock'>, { ends_at }: Grant): boolean {
  return clock.now() < ends_at - SPARE_SECONDS;
}

/** Gets a grant for a code or a refresh token: `refused` is final, `failed` may succeed later. */
export async function askGrant(
  context: ZoomContext,
  form: Readonly<Record<string, string>>,
): Promise<Grant | 'refused' | 'failed'> {
  const answer = await askTokens(context, form);
  if (isRefused(answer)) return 'refused';
  const got = isSuccess(answer) ? readAnswer(reply, answer) : undefined;
  if (!got) return 'failed';
  return { access: got.access_token, renewal: got.refresh_token, ends_at: context.clock.now() + got.expires_in };
}
