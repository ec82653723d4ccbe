import { slice } from '#kernel/slice';
import { answerWords } from './answers.ts';
import { testWelcomeEndpoint } from './endpoints.ts';

export const firstDay = slice({ name: 'first-day', endpoints: [testWelcomeEndpoint], on: [answerWords] });

export { furnish } from './furnish.ts';
export { greet } from './greet.ts';
