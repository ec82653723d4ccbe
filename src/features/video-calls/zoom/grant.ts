import type { Context, ZoomService } from '#kernel/context';
import { firstFault, int, lenientObject, object, str, text } from '#kernel/schema';
import { seal, unseal } from '#features/sign-in';
import { isSuccess, readAs } from '../ask.ts';
import { askTokens, isRefused } from './meeting.ts';

/** Longest token that is kept, in characters; those of Zoom have about 700. */
const MAX_TOKEN = 2500;
/** Seconds before its end when a token is not used any more. */
const SPARE_SECONDS = 60;

const tokenText = text({ min: 1, max: MAX_TOKEN });
const reply = lenientObject({
  access_token: tokenText,
  refresh_token: tokenText,
  expires_in: int({ min: 0, max: 1e8 }),
});
const shape = object({ access: str(), renewal: str(), ends_at: int() });
/** What somebody has granted this server at Zoom: a token for an hour, and one that gets the next, once. */
type Grant = ReturnType<typeof shape.parse>;

const PURPOSE = 'zoom';

/** A grant as the table has it: nobody reads it without the server's secret. */
export function sealGrant(context: Context, grant: Grant): Promise<string> {
  return seal(context, PURPOSE, grant);
}

/** The grant of a row; undefined when the server has another secret by now. */
export async function openGrant(context: Context, sealed: string): Promise<Grant | undefined> {
  const read = firstFault(shape, 'grant', await unseal(context, PURPOSE, sealed));
  return 'fault' in read ? undefined : read.value;
}

export function isFresh({ clock }: Pick<Context, 'clock'>, { ends_at }: Grant): boolean {
  return clock.now() < ends_at - SPARE_SECONDS;
}

/** Gets a grant for a code or for the last one's token: `refused` is final, `failed` may go better later. */
export async function askGrant(
  context: Context,
  zoom: ZoomService,
  form: Readonly<Record<string, string>>,
): Promise<Grant | 'refused' | 'failed'> {
  const answer = await askTokens(context, zoom, form);
  if (isRefused(answer)) return 'refused';
  const got = isSuccess(answer) ? readAs(reply, answer) : undefined;
  if (!got) return 'failed';
  return { access: got.access_token, renewal: got.refresh_token, ends_at: context.clock.now() + got.expires_in };
}
