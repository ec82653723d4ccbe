// The weekly digest.
export { digestJob, seedDigests } from './jobs.ts';
export { digestLetterJob } from './letters.ts';
