/** Fewest and most code points of a password. Security 2, 6.2.1; protocol/authentication#passwords. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 100;

/** Passwords that everybody tries first. */
const COMMON = new Set([
  '00000000',
  '11111111',
  '12341234',
  '12345678',
  '123456789',
  '1234567890',
  '1q2w3e4r',
  '1qaz2wsx',
  '87654321',
  'aa123456',
  'abc12345',
  'abcd1234',
  'baseball',
  'football',
  'iloveyou',
  'letmein1',
  'password',
  'password1',
  'password12',
  'password123',
  'princess',
  'qwerty12',
  'qwerty123',
  'qwertyui',
  'qwertyuiop',
  'sunshine',
  'superman',
  'trustno1',
  'welcome1',
]);

/** What is wrong with a password that somebody chose; own words are as guessable as common ones. */
export function passwordFault(password: string, ownWords: readonly string[] = []): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH) return `The password needs at least ${PASSWORD_MIN_LENGTH} characters.`;
  if (length > PASSWORD_MAX_LENGTH) return `The password has more than ${PASSWORD_MAX_LENGTH} characters.`;
  const folded = password.toLowerCase();
  const isOwn = ownWords.some((word) => word !== '' && folded === word.toLowerCase());
  if (COMMON.has(folded) || isOwn || new Set(folded).size < 3) return 'The password is too weak.';
  return undefined;
}
