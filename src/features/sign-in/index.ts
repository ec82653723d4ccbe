import { slice } from '#kernel/slice';
import { askPage, challengePage, passkeysPage, setupPage } from './second-factor/index.ts';
import { confirmationEndpoints, confirmationPage } from './confirmation/index.ts';
import { signInEndpoints } from './endpoints.ts';
import { signInPages } from './pages.ts';
import { signInLinkPage } from './sign-in-link.ts';
import { passkeySignInPage } from './passkey-sign-in-page.ts';
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

export { confirm, confirmFirst } from './confirmation/index.ts';
export { countPasskeys, recoverSecondFactor, tellOfDemand, tell as tellOwner } from './factors/index.ts';
export { seal, sealedCookie, sealedCookieName, unseal } from './sealed.ts';
export { enterOrAsk } from './second-factor/index.ts';
export { enter, oneTimePadOf, redirectIn, safeNext } from './finish.ts';
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
export { passkeyScript } from './passkeys/index.ts';
export { beginSession, endSession, signedInAnew } from './browser-session.ts';
export { beginGuess, type LogInRequest, openByKey } from './guessing.ts';
export {
  endRecovery,
  endWaysBack,
  makeOneTimeLink,
  makeWayBack,
  peekOneTimeLink,
  takeOneTimeLink,
  takeWayBack,
} from './one-time-links.ts';
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
export { enterAgain, noteSender, tryToEnter } from './sent-again.ts';
export { credentialsOf, recordKeyGiven } from './sign-in.ts';
