// Archives of Mattermost, read as a community.
export { mattermostSource } from './source.ts';
