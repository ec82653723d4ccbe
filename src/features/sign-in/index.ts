import { slice } from '#kernel/slice';
import { askPage } from './second-factor/ask-page.ts';
import { setupPage } from './second-factor/setup-page.ts';
import { confirmationEndpoints } from './confirmation/endpoints.ts';
import { confirmationPage } from './confirmation/page.ts';
import { signInEndpoints } from './endpoints.ts';
import { signInPages } from './pages.ts';
import { signInLinkPage } from './sign-in-link.ts';
import { challengePage } from './passkeys/challenge-page.ts';
import { passkeysPage } from './passkeys/passkeys-page.ts';
import { passkeySignInPage } from './passkeys/sign-in-page.ts';
import { resetJob } from './reset.ts';
import {
  externalIdentity,
  oneTimeLink,
  passkey,
  recoveryCode,
  secondFactor,
  spentToken,
  userPassword,
} from './tables.ts';

export const signInSlice = slice({
  name: 'sign-in',
  tables: [userPassword, oneTimeLink, externalIdentity, spentToken, secondFactor, recoveryCode, passkey],
  reads: ['user'],
  endpoints: [...signInEndpoints, ...confirmationEndpoints],
  pages: [
    ...signInPages,
    signInLinkPage,
    askPage,
    setupPage,
    confirmationPage,
    challengePage,
    passkeysPage,
    passkeySignInPage,
  ],
  jobs: [resetJob],
});

export { confirm } from './confirmation/confirm.ts';
export { confirmFirst } from './confirmation/page.ts';
export { tellOfDemand } from './second-factor/demand.ts';
export { recoverSecondFactor, tell as tellOwner } from './second-factor/factor.ts';
export { seal, sealedCookie, sealedCookieName, unseal } from './sealed.ts';
export { enterOrAsk } from './second-factor/ask-page.ts';
export { enter, padOf, safeNext } from './finish.ts';
export { type ExternalPerson, isExternalPerson, spend } from './identities.ts';
export { directoryVouches, LDAP_ISSUER } from './directory-password.ts';
export {
  authenticationMethods,
  hasPasswords,
  isMethodOn,
  JWT_METHOD,
  namesOfWays,
  PROXY_METHOD,
  PROXY_PATH,
  providersOf,
} from './methods.ts';
export { OwnersLockedOut } from './errors.ts';
export { isLockOut, keepingOwnersIn, ownersGetIn } from './owners.ts';
export { passkeyScript } from './passkeys/form.ts';
export { countPasskeys } from './passkeys/queries.ts';
export { beginSession, endSession } from './browser-session.ts';
export { beginGuess, openByKey } from './guessing.ts';
export { endRecovery, makeOneTimeLink, peekOneTimeLink, takeOneTimeLink } from './one-time-links.ts';
export { newPasswordField } from './pages.ts';
export { passwordFault, passwordFaultIn, USUAL_RULES } from './password-rules.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
export { noteRefused, recordRefused } from './refused.ts';
export { makeResetLink } from './reset.ts';
export { makeSignInLink } from './sign-in-link.ts';
export {
  deleteIdentity,
  deleteOneTimeLinks,
  findIdentity,
  findPasswordHash,
  insertIdentity,
  listIdentities,
  listIdentitiesOf,
  setIdentityPicture,
  setPasswordHash,
  touchIdentity,
} from './queries.ts';
export { credentialsOf, recordKeyGiven } from './sign-in.ts';
export { signedInAnew } from './browser-session.ts';
export { FEATURE_LEVEL, ROOST_VERSION, VERSION } from './version.ts';
