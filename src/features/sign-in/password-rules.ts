import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { guessesOf, isCommon } from './guesses.ts';

/** Most code points of a password. Security 2, 6.2.1; protocol/authentication#passwords. */
export const PASSWORD_MAX_LENGTH = 100;

/** An organization's requirements for new passwords. */
export type PasswordRules = Pick<RealmSettings, 'password_min_length' | 'password_min_guesses'>;

/** Returns what is wrong with a new password. `ownWords` are names and addresses that attackers try first. */
export function passwordFault(
  password: string,
  ownWords: readonly string[],
  { password_min_length: min, password_min_guesses }: PasswordRules,
): string | undefined {
  const length = [...password].length;
  if (length < min) return `The password needs at least ${min} characters.`;
  if (length > PASSWORD_MAX_LENGTH) return `The password has more than ${PASSWORD_MAX_LENGTH} characters.`;
  const isWeak = isCommon(password) || guessesOf(password, wordsIn(ownWords)) < password_min_guesses;
  return isWeak ? 'The password is too weak.' : undefined;
}

/** The organization in which a password is chosen, if any; a page request can be passed. */
interface PasswordContext {
  readonly context: Pick<Context, 'store'>;
  readonly realm: RealmRef | undefined;
}

/** Applies the rules of an organization, and counts its name among the own words. */
export async function passwordFaultIn(
  within: PasswordContext & { readonly realm: RealmRef },
  password: string,
  ownWords: readonly string[],
): Promise<string | undefined> {
  return passwordFault(password, [within.realm.name, ...ownWords], await passwordRulesIn(within));
}

/** The requirements where there is no organization yet. */
export const USUAL_RULES: PasswordRules = settingsOf({ settings: {} });

/** Reads an organization's requirements for new passwords. */
export async function passwordRulesIn({ context, realm }: PasswordContext): Promise<PasswordRules> {
  return realm ? settingsOf(await context.store.in(realm).query((tx) => readRealm(tx))) : USUAL_RULES;
}

/** The texts and the words in them, in lower case. */
function wordsIn(texts: readonly string[]): readonly string[] {
  const low = texts.map((text) => text.toLowerCase());
  const words = low.flatMap((text) => [text, text.replaceAll(' ', ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= 3);
}
