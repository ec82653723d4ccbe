import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { guessesOf, isCommon } from './guesses.ts';

/** Most code points of a password. Security 2, 6.2.1; protocol/authentication#passwords. */
export const PASSWORD_MAX_LENGTH = 100;

/** What an organization asks of new passwords. */
export type PasswordRules = Pick<RealmSettings, 'password_min_length' | 'password_min_guesses'>;

/** What is wrong with a password that somebody chose. `ownWords`: names and addresses that everybody tries first. */
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

/** The same by the rules of an organization, whose name is no password either. */
export async function passwordFaultIn(
  { store }: Pick<Context, 'store'>,
  realm: RealmRef,
  password: string,
  ownWords: readonly string[],
): Promise<string | undefined> {
  return passwordFault(password, [realm.name, ...ownWords], await passwordRulesIn({ store }, realm));
}

/** What is asked where there is no organization yet. */
export const USUAL_RULES: PasswordRules = settingsOf({ settings: {} });

/** What an organization asks of new passwords. */
export async function passwordRulesIn(
  { store }: Pick<Context, 'store'>,
  realm: Pick<RealmRef, 'id'> | undefined,
): Promise<PasswordRules> {
  return realm ? settingsOf(await store.of(realm.id).query((tx) => readRealm(tx))) : USUAL_RULES;
}

/** Each text as it is, and the words in it, in lower case. */
function wordsIn(texts: readonly string[]): readonly string[] {
  const low = texts.map((text) => text.toLowerCase());
  const words = low.flatMap((text) => [text, text.replaceAll(' ', ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= 3);
}
