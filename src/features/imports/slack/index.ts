// Archives of Slack, read as a community.
export type { Fetching } from './fetched.ts';
export { slackSource } from './source.ts';
