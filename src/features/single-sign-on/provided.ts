import { seal } from '#features/sign-in';
import type { ProviderSession } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Provider } from '#kernel/identity';
import type { Vouched } from './vouched.ts';

/** What the tokens by which providers know their sessions are sealed for. */
export const TOKEN_PURPOSE = 'provider-token';

/** Longest name of a session and longest token that are kept, in characters. */
const MAX_SID = 255;
const MAX_TOKEN = 4000;

/** What is kept of the session at a provider, so that one here can end with it. */
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
    // A person who was logged in there all the time has shown nothing now (security#asvs, 6.8.4).
    signed_in_at: signedInAt,
    provider_token: isShort ? await seal(context, TOKEN_PURPOSE, token) : null,
  };
}
