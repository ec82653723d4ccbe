// The server's account at the push service, and its reports.
export {
  challengePage,
  deactivateServer,
  makeAccount,
  registerServer,
  type Said,
  sealChallenge,
  transferServer,
} from './account.ts';
export { handleRefusal, reportRegularly, reportToService } from './report.ts';
