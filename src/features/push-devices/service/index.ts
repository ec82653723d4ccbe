// The account at the push service, and what is reported to it.
export {
  challengePage,
  deactivateServer,
  makeAccount,
  registerServer,
  type Said,
  sealChallenge,
  transferServer,
} from './account.ts';
export { heedRefusal, reportRegularly, reportToService } from './report.ts';
