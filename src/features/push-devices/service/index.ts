// The account at the push service, and what is reported to it.
export { deactivateServer, makeAccount, registerServer, type Said, sealChallenge, transferServer } from './account.ts';
export { challengePage } from './challenge-page.ts';
export { heedRefusal, reportRegularly, reportToService } from './report.ts';
