import { slice } from '#kernel/slice';
import { signInEndpoints } from './endpoints.ts';
import { signInPages } from './pages.ts';
import { resetJob } from './reset.ts';
import { oneTimeLink, userPassword } from './tables.ts';

export const signInSlice = slice({
  name: 'sign-in',
  tables: [userPassword, oneTimeLink],
  endpoints: signInEndpoints,
  pages: signInPages,
  jobs: [resetJob],
});

export { beginSession } from './browser-session.ts';
export { beginGuess, openByKey } from './guessing.ts';
export { endRecovery, makeOneTimeLink, peekOneTimeLink, takeOneTimeLink } from './one-time-links.ts';
export { newPasswordField } from './pages.ts';
export { passwordFault } from './password-rules.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
export { makeResetLink } from './reset.ts';
export { deleteOneTimeLinks, findPasswordHash, setPasswordHash } from './queries.ts';
export { credentialsOf } from './sign-in.ts';
export { FEATURE_LEVEL, ROOST_VERSION, VERSION } from './version.ts';
