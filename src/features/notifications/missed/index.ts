// Mails about messages that somebody missed.
export { gather, missedMailJob, type Missing } from './gather.ts';
export { missedLetterJob } from './letters.ts';
