import { seal } from '#features/sign-in';
import type { ProviderSession } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Provider } from '#kernel/identity';
import type { Vouched } from './vouched.ts';

/** Purpose for which the tokens of providers' sessions are sealed. */
export const TOKEN_PURPOSE = 'provider-token';

/** Longest session ID and longest token that are stored, in characters. */
const MAX_SID = 255;
const MAX_TOKEN = 4000;

/** The stored facts about a session at a provider, so that the session here can end with it. */
export async function providerSession(
  context: Context,
  { id, kind }: Provider,
  { subject, session, signedInAt }: Vouched,
): Promise<ProviderSession | undefined> {
  if (kind === 'github') return undefined;
  const { sid, token } = session ?? {};
  const isShort = token !== undefined && token.length <= MAX_TOKEN;
  return {
    provider_id: id,
    provider_subject: session?.subject ?? subject,
    provider_session: sid !== undefined && sid.length <= MAX_SID ? sid : null,
    // When they authenticated there: a person who was logged in all the time has shown nothing now (security#asvs,
    // 6.8.4).
    signed_in_at: signedInAt,
    provider_token: isShort ? await seal(context, TOKEN_PURPOSE, token) : null,
  };
}
