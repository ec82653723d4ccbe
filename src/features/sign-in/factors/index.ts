// Second factors: those that accounts have, and when organizations require them.
export { mayTurnOff, nextStep, tellOfDemand } from './demand.ts';
export {
  addSecondFactor,
  checkCode,
  endRecoveryCodesIfLast,
  hasSecondFactor,
  hasTotp,
  newRecoveryCodes,
  recoverSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  tell,
} from './factor.ts';
export {
  countPasskeys,
  deletePasskeys,
  findPasskey,
  hasOwnerWithPasskey,
  insertPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  touchPasskey,
} from './passkeys/queries.ts';
export { countRecoveryCodes } from './queries.ts';
export { newTotpSecret, totpAddress } from './totp.ts';
