import type { GithubProvider } from '#kernel/identity';
import { firstFault, int, lenientObject, list, nullable, bool, str } from '#kernel/schema';
import { addressesOf, type OpenidClient } from './openid.ts';
import { ProviderFault, type Secrets, type Vouched } from './vouched.ts';

const profile = lenientObject({ id: int({ min: 1 }), login: str(), name: nullable(str()) });
const addresses = list(lenientObject({ email: str(), primary: bool(), verified: bool() }));

/** Reads GitHub's claims about a person who returns from it. Source: protocol/authentication#github. */
export async function githubClaims(
  client: OpenidClient,
  provider: GithubProvider,
  answer: URL,
  secrets: Secrets,
): Promise<Vouched> {
  const { issuer, api } = addressesOf(provider);
  const asked = [new URL(`${api}/user`), new URL(`${api}/user/emails`)];
  const [first, second] = await client.answers(provider, answer, secrets, asked);
  const who = firstFault(profile, 'user', first);
  const mails = firstFault(addresses, 'emails', second);
  if ('fault' in who || 'fault' in mails) throw new ProviderFault('invalid', 'another shape');
  const primary = mails.value.find((mail) => mail.primary);
  return {
    issuer,
    // The name of an account can pass on to somebody else, its number never does.
    subject: String(who.value.id),
    name: who.value.name ?? who.value.login,
    email: primary?.email,
    isVerified: primary?.verified === true,
    groups: undefined,
  };
}
